/** Finds passes that older scripts rendered: `studio.py` and `rooms.py` write their hash beside them. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname
const scripts = readdirSync(here).filter((name) => name.endsWith('.py'))
const cloths = readdirSync(join(here, 'cloth'))

/** Same as `fingerprint` in `studio.py`: the studio, the script, all that they import from here, and the cloths that these load. */
function fingerprint(script: string): string {
  const [files, waiting] = [new Set<string>(), [join(here, 'studio.py'), script]]
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    if (files.has(path)) continue
    files.add(path)
    const text = readFileSync(path, 'utf8')
    waiting.push(
      ...scripts.filter((name) => text.includes(`from ${name.slice(0, -3)} import`)).map((name) => join(here, name)),
    )
    for (const name of cloths) if (text.includes(`'cloth', '${name}'`)) files.add(join(here, 'cloth', name))
  }
  const hash = createHash('sha256')
  for (const file of [...files].toSorted()) hash.update(readFileSync(file))
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
