import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

/*
 * The brand's mark as home-screen icons. Run it after changing designs/mark.svg.
 */

const mark = readFileSync(join(import.meta.dirname, 'designs/mark.svg'))
const folder = join(import.meta.dirname, 'icons')
const GROUND = '#1d1b19'

/** @param share of the width that the mark takes; the rest is the ground, or transparent */
async function make(name: string, size: number, { share, ground }: { share: number; ground: boolean }): Promise<void> {
  const width = Math.round(size * share)
  const drawn = await sharp(mark, { density: 300 }).resize(width, width).png().toBuffer()
  await sharp({
    create: { width: size, height: size, channels: 4, background: ground ? GROUND : { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .composite([{ input: drawn }])
    .png({ palette: true, effort: 10 })
    .toFile(join(folder, name))
}

mkdirSync(folder, { recursive: true })
// Apple's home screens round the corners themselves and turn transparency black.
await make('touch-180.png', 180, { share: 0.92, ground: true })
await make('icon-192.png', 192, { share: 1, ground: false })
await make('icon-512.png', 512, { share: 1, ground: false })
// Other home screens cut any shape out of the middle: the mark stays in the safe zone.
await make('maskable-512.png', 512, { share: 0.78, ground: true })
