import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pack } from '#server/pictures/passes.ts'

const renderedFolder = join(import.meta.dirname, 'rendered')
const packedFolder = join(import.meta.dirname, 'passes')

/** Stores in `passes/` what Blender has written to `rendered/` since the last run. @returns the views, as `<type>.<view>` */
export async function packRendered(): Promise<string[]> {
  if (!existsSync(renderedFolder)) return []
  mkdirSync(packedFolder, { recursive: true })
  const packed: string[] = []
  for (const note of readdirSync(renderedFolder).filter((file) => file.endsWith('.json'))) {
    const view = note.slice(0, -'.json'.length)
    const [from, to] = [join(renderedFolder, note), join(packedFolder, note)]
    if (existsSync(to) && readFileSync(to, 'utf8') === readFileSync(from, 'utf8')) continue
    await pack(join(renderedFolder, view), join(packedFolder, view))
    copyFileSync(from, to)
    packed.push(view)
  }
  return packed
}
