import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { assert } from '#shared/assert.ts'

/** A file in an archive. Its bytes are read only when it is written. */
export type ZipEntry = {
  name: string
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** For files that are already compressed, such as pictures. */
  isStored?: boolean
}

/** A file's sizes have 32 bits; offsets and counts beyond theirs are written as ZIP64. */
const LIMIT_BYTES = 0xffff_ffff
const LIMIT_FILES = 0xffff
/** Speed over size: somebody waits for the archive, and shoppers share the CPU. */
const LEVEL = 3
/** January 1, 1980, the format's earliest date, because it cannot omit the date. */
const NO_DATE = (1 << 5) | 1
const FLAGS = 0x0008 | 0x0800 // Sizes follow the bytes; names are UTF-8.

type WrittenEntry = { name: Buffer; method: 0 | 8; crc: number; size: number; packed: number; offset: number }

/**
 * A ZIP archive as a stream (APPNOTE 6.3.3, sizes in data descriptors) with one chunk in memory at a time, and some hundred bytes per
 * file until its end. Each file has less than 4 GB.
 */
export const zip = (entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>): Readable =>
  Readable.from(archive(entries), { objectMode: false })

async function* archive(entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: WrittenEntry[] = []
  let offset = 0
  for await (const { name, bytes, isStored = false } of entries) {
    const file: WrittenEntry = { name: Buffer.from(name), method: isStored ? 0 : 8, crc: 0, size: 0, packed: 0, offset }
    const head = localHeader(file)
    yield head
    for await (const chunk of isStored ? countBytes(bytes, file) : deflateBytes(countBytes(bytes, file))) {
      file.packed += chunk.length
      yield chunk
    }
    const tail = descriptor(file)
    yield tail
    offset += head.length + file.packed + tail.length
    assert(file.size < LIMIT_BYTES && file.packed < LIMIT_BYTES, 'a file of more than 4 GB in an archive')
    written.push(file)
  }
  let length = 0
  for (const file of written) {
    const entry = directoryEntry(file)
    length += entry.length
    yield entry
  }
  yield endOfDirectory(written.length, length, offset)
}

async function* countBytes(bytes: ZipEntry['bytes'], file: WrittenEntry): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    file.crc = crc32(chunk, file.crc)
    file.size += chunk.length
    yield chunk
  }
}

async function* deflateBytes(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw({ level: LEVEL })
  // If the source fails, the destroyed stream throws below.
  const fed = pipeline(bytes, deflate).catch(() => {})
  for await (const chunk of deflate) yield chunk as Buffer
  await fed
}

function localHeader({ name, method }: WrittenEntry): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x0403_4b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(FLAGS, 6)
  head.writeUInt16LE(method, 8)
  head.writeUInt16LE(NO_DATE, 12)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name])
}

function descriptor({ crc, packed, size }: WrittenEntry): Buffer {
  const tail = Buffer.alloc(16)
  tail.writeUInt32LE(0x0807_4b50, 0)
  tail.writeUInt32LE(crc, 4)
  tail.writeUInt32LE(packed, 8)
  tail.writeUInt32LE(size, 12)
  return tail
}

function directoryEntry({ name, method, crc, packed, size, offset }: WrittenEntry): Buffer {
  const entry = Buffer.alloc(46)
  const isFar = offset >= LIMIT_BYTES
  const extra = Buffer.alloc(isFar ? 12 : 0)
  if (isFar) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(8, 2)
    extra.writeBigUInt64LE(BigInt(offset), 4)
  }
  entry.writeUInt32LE(0x0201_4b50, 0)
  entry.writeUInt16LE(20, 4)
  entry.writeUInt16LE(20, 6)
  entry.writeUInt16LE(FLAGS, 8)
  entry.writeUInt16LE(method, 10)
  entry.writeUInt16LE(NO_DATE, 14)
  entry.writeUInt32LE(crc, 16)
  entry.writeUInt32LE(packed, 20)
  entry.writeUInt32LE(size, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt16LE(extra.length, 30)
  entry.writeUInt32LE(Math.min(offset, LIMIT_BYTES), 42)
  return Buffer.concat([entry, name, extra])
}

function endOfDirectory(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(Math.min(count, LIMIT_FILES), 8)
  end.writeUInt16LE(Math.min(count, LIMIT_FILES), 10)
  end.writeUInt32LE(Math.min(length, LIMIT_BYTES), 12)
  end.writeUInt32LE(Math.min(offset, LIMIT_BYTES), 16)
  return count < LIMIT_FILES && length < LIMIT_BYTES && offset < LIMIT_BYTES
    ? end
    : Buffer.concat([zip64End(count, length, offset), end])
}

/** The ZIP64 record with its locator. */
function zip64End(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(56 + 20)
  end.writeUInt32LE(0x0606_4b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(45, 12)
  end.writeUInt16LE(45, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(length), 40)
  end.writeBigUInt64LE(BigInt(offset), 48)
  end.writeUInt32LE(0x0706_4b50, 56)
  end.writeBigUInt64LE(BigInt(offset + length), 64)
  end.writeUInt32LE(1, 72)
  return end
}
