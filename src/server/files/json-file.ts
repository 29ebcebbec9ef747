import { randomUUID } from 'node:crypto'

/** Reads a file's bytes once it is their turn; undefined if the file is gone by then. */
export type LaterFile = () => Promise<Buffer | undefined>

/**
 * JSON in which each `LaterFile` becomes its bytes in base64, or null. One file is in memory at a time: it is read once everything
 * before it was taken.
 */
export async function* writeJson(value: unknown): AsyncGenerator<string> {
  // A text that happens to look like a place for a file would take its place.
  const place = randomUUID()
  const files: LaterFile[] = []
  const text = JSON.stringify(
    value,
    (_, part: unknown) => {
      if (typeof part !== 'function') return part
      files.push(part as LaterFile)
      return place
    },
    2,
  )
  for (const [index, part] of text.split(`"${place}"`).entries()) {
    const file = files[index - 1]
    if (file) {
      const bytes = await file()
      yield bytes ? `"${bytes.toString('base64')}"` : 'null'
    }
    yield part
  }
}
