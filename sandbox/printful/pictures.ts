import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { z } from 'zod'

/** The finished product pictures of this repository. */
export const finishedPictures = join(import.meta.dirname, '../../pictures/finished')

const entrySchema = z.object({
  type: z.string(),
  view: z.string(),
  color: z.string().nullish(),
  design: z.string().nullish(),
  file: z.string(),
  widths: z.array(z.number()).min(1),
})
type Entry = z.infer<typeof entrySchema>

/** At the printer a picture keeps its name when it is made again: what it shows is the same, so no shop has to look at it again. */
const nameOf = ({ file }: Entry): string => `${file.slice(0, file.lastIndexOf('.'))}.webp`

export type PictureRequest = { type: string; color: string; design: string }

/**
 * Finds a variant's picture among the finished ones.
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

  const shows = (entry: Entry, { type, color, design }: PictureRequest): boolean =>
    entry.type === type && entry.design === design && entry.color?.toLowerCase() === color.toLowerCase()

  return {
    /**
     * The front of exactly this product and color, else the default picture: another color would be misleading.
     * @returns a name that `read` knows, or undefined when there is neither
     */
    fileFor(wanted: PictureRequest): string | undefined {
      const known = entries()
      const exact = known.filter((entry) => shows(entry, wanted))
      const entry =
        exact.find(({ view }) => view === 'front') ?? exact[0] ?? known.find(({ type }) => type === 'default')
      return entry && nameOf(entry)
    },
    /** The bytes of a picture by its name, or undefined. */
    read(name: string): Buffer | undefined {
      const entry = entries().find((one) => nameOf(one) === name)
      return entry && readFileSync(join(folder, `${entry.file}.${Math.max(...entry.widths)}.webp`))
    },
  }
}
