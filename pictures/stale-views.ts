/** Finds passes that older scripts rendered: `studio.py` and `rooms.py` write their hash beside them. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname

/** Same as `fingerprint` in `studio.py`: the studio, what the script imports from here, the script. */
function fingerprint(script: string): string {
  const text = readFileSync(script, 'utf8')
  const shared = readdirSync(here)
    .toSorted()
    .filter((name) => text.includes(`from ${name.slice(0, -'.py'.length)} import`))
  const hash = createHash('sha256')
  for (const file of [join(here, 'studio.py'), ...shared.map((name) => join(here, name)), script])
    hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** Same as `shoot` in `rooms.py`: the room's script and the product's. */
function fingerprintOf(type: string, view: string): string {
  const product = fingerprint(join(here, 'products', `${type}.py`))
  const room = join(here, view, `${type}.py`)
  if (!existsSync(room)) return product
  const both = fingerprint(room) + product
  return createHash('sha256').update(both).digest('hex').slice(0, 16)
}

/** @returns views whose passes are older than their scripts, as `<type>.<view>` */
export function listStale(): string[] {
  const passes = join(here, 'passes')
  if (!existsSync(passes)) return []
  return readdirSync(passes)
    .filter((file) => file.endsWith('.json'))
    .flatMap((note) => {
      const [type = '', view = ''] = note.split('.')
      const { scripts } = JSON.parse(readFileSync(join(passes, note), 'utf8')) as { scripts: string }
      return scripts === fingerprintOf(type, view) ? [] : [`${type}.${view}`]
    })
}
