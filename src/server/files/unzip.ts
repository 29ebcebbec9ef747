import { crc32 } from 'node:zlib'
import { openPromise, type Entry } from 'yauzl'

/** The file is no archive that can be read; the message says why. */
export class ZipMistake extends Error {}

const FILES_MAX = 500_000

/** An open archive. Its files are read one at a time. */
export type OpenZip = {
  names(): string[]
  has(name: string): boolean
  /** @throws ZipMistake for a damaged file, and one that holds more than `maxBytes` unpacked */
  read(name: string, maxBytes: number): Promise<Buffer>
  close(): void
}

const DAMAGED = 'This archive is damaged or cut off. Please download it again.'

/**
 * Opens a ZIP archive by its directory, which is all that is kept in memory.
 * @param unpackedMax bytes of all files together: an archive that claims more is a bomb
 * @throws ZipMistake
 */
export async function openZip(path: string, unpackedMax: number): Promise<OpenZip> {
  const archive = await openPromise(path, { autoClose: false }).catch(() => {
    throw new ZipMistake(DAMAGED)
  })
  const entries = new Map<string, Entry>()
  try {
    if (archive.entryCount > FILES_MAX) throw new ZipMistake(`This archive has more than ${FILES_MAX} files.`)
    let unpacked = 0
    for await (const entry of archive.eachEntry()) {
      unpacked += entry.uncompressedSize
      if (unpacked > unpackedMax) throw new ZipMistake('This archive would unpack to far more than a catalog.')
      entries.set(entry.fileName, entry)
    }
  } catch (error) {
    archive.close()
    throw error instanceof ZipMistake ? error : new ZipMistake(DAMAGED)
  }
  return {
    names: () => [...entries.keys()].filter((name) => !name.endsWith('/')),
    has: (name) => entries.has(name),
    read: async (name, maxBytes) => {
      const entry = entries.get(name)
      if (!entry) throw new ZipMistake(`${name} is not in the archive.`)
      if (entry.uncompressedSize > maxBytes)
        throw new ZipMistake(`${name} is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`)
      // Files that hold more than they claim end with an error.
      const bytes = await readAll(archive.openReadStreamPromise(entry)).catch(() => undefined)
      if (!bytes || crc32(bytes) !== entry.crc32) throw new ZipMistake(`${name} in the archive is damaged or cut off.`)
      return bytes
    },
    close: () => archive.close(),
  }
}

async function readAll(opened: Promise<AsyncIterable<Uint8Array>>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await opened) chunks.push(chunk)
  return Buffer.concat(chunks)
}
