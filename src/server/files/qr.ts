import { crc32, deflateSync } from 'node:zlib'
import { encodeQR } from 'qr'

/** Quiet zone around the code, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4
/** Readable with a quarter of the code damaged. */
const CORRECTION = 'quartile'

const modulesOf = (address: string): boolean[][] => encodeQR(address, 'raw', { ecc: CORRECTION, border: QUIET_ZONE })

export function qrSvg(address: string): string {
  const modules = modulesOf(address)
  const size = modules.length
  const dark = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${dark.join('')}"/></svg>\n`
}

/** @param scale pixels per module */
export function qrPng(address: string, scale = 16): Buffer {
  const modules = modulesOf(address)
  const size = modules.length * scale
  const bytesPerRow = Math.ceil(size / 8)
  const rows = modules.map((row) => {
    // One bit per pixel; the first byte of each row is its filter type, 0 for none.
    const line = Buffer.alloc(1 + bytesPerRow)
    for (let x = 0; x < size; x += 1)
      if (!row[Math.floor(x / scale)]) line[1 + (x >> 3)] = (line[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
    return line
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([1, 0, 0, 0, 0], 8) // one bit, gray
  const image = deflateSync(Buffer.concat(rows.flatMap((line) => Array<Buffer>(scale).fill(line))))
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', image), chunk('IEND', Buffer.alloc(0))])
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Length, name, content, CRC (PNG specification, section 5.3). */
function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(content.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}
