import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { z } from 'zod'

/** Where the finished product pictures of this repository are. */
export const finishedPictures = join(import.meta.dirname, '../../pictures/finished')

const entrySchema = z.object({
  type: z.string(),
  view: z.string(),
  colour: z.string().nullish(),
  design: z.string().nullish(),
  file: z.string(),
  widths: z.array(z.number()).min(1),
})
type Entry = z.infer<typeof entrySchema>

export type Wanted = { type: string; colour: string; design: string }

/**
 * Finds the picture of a variant among the finished ones.
 * @param folder holds `index.json` and the files; both may appear or change while the simulator runs
 */
export function openPictures(folder: string) {
  let read: { at: number; entries: Entry[] } | undefined

  function entries(): Entry[] {
    const path = join(folder, 'index.json')
    const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs
    if (at === undefined) return []
    if (read?.at !== at) read = { at, entries: z.array(entrySchema).parse(JSON.parse(readFileSync(path, 'utf8'))) }
    return read.entries
  }

  /** How well a picture shows what is wanted; the front view of the right design and colour is best. Undefined: another thing. */
  function rank(entry: Entry, { type, colour, design }: Wanted): number | undefined {
    if (entry.type !== type && entry.type !== 'default') return undefined
    return (
      (entry.type === type ? 8 : 0) +
      (entry.design === design ? 4 : 0) +
      (entry.colour?.toLowerCase() === colour.toLowerCase() ? 2 : 0) +
      (entry.view === 'front' ? 1 : 0)
    )
  }

  return {
    /** @returns a file name below the folder, or undefined when there is no picture at all */
    fileFor(wanted: Wanted): string | undefined {
      const ranked = entries().flatMap((entry) => {
        const points = rank(entry, wanted)
        return points === undefined ? [] : [{ entry, points }]
      })
      const best = ranked.toSorted((a, b) => b.points - a.points)[0]?.entry
      if (!best) return undefined
      if (best.file.endsWith('.webp')) return best.file
      return `${best.file}-${Math.max(...best.widths)}.webp`
    },
    /** The bytes of a file of the folder. Undefined when there is none; a path out of the folder is none. */
    read(file: string): Buffer | undefined {
      if (!/^[A-Za-z0-9][A-Za-z0-9._-]*\.webp$/.test(file)) return undefined
      try {
        return readFileSync(join(folder, file))
      } catch {
        return undefined
      }
    },
  }
}
