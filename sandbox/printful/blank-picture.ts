import sharp from 'sharp'

const SIZE = 1000

/** Outlines in a square of 100, by words of a blank's kind; the first that fits. */
const outlines: readonly [RegExp, string][] = [
  [/leash|collar/i, 'M15 40h70v12h-70z M40 36h20v20h-20z'],
  [/shirt|hoodie|tank|bodysuit|apron/i, 'M36 18q14 12 28 0l24 14-9 18-11-5v41h-36v-41l-11 5-9-18z'],
  [/hat|cap|visor/i, 'M20 58q2-34 32-34 28 0 30 28l14 8q-2 8-14 7-30-6-62 3z'],
  [/socks/i, 'M40 12h22v42q22 12 22 22 0 10-14 10-16 0-30-18z'],
  [/leggings/i, 'M34 10h32l6 80h-15l-7-58-7 58h-15z'],
  [/mug/i, 'M22 24h46v8q20-2 20 18 0 20-20 18v10q0 4-6 4h-34q-6 0-6-4z'],
  [/bottle|cooler/i, 'M40 10h20v12q8 4 8 14v50q0 4-4 4h-28q-4 0-4-4v-50q0-10 8-14z'],
  [/tote|bag|backpack/i, 'M22 38h14q0-24 14-24 14 0 14 24h14l6 50h-68z'],
  [/phone/i, 'M32 8h36q6 0 6 6v72q0 6-6 6h-36q-6 0-6-6v-72q0-6 6-6z'],
]
const SHEET = 'M20 14h60v72h-60z'

/** What Printful shows of a blank in its catalog, as a drawing: its kind in its first color on a light ground. */
export const blankPicture = (kind: string, hex: string | null): Promise<Buffer> => {
  const outline = outlines.find(([words]) => words.test(kind))?.[1] ?? SHEET
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 100 100"><rect width="100" height="100" fill="#efefef"/><path d="${outline}" fill="${hex ?? '#ffffff'}" stroke="#8a8a8a" stroke-width="1"/></svg>`,
    ),
  )
    .jpeg()
    .toBuffer()
}
