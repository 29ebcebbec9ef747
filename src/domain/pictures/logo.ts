import type { Logo } from '#site/settings.ts'

/** In pixels: the size of the header at three times its density, so that a logo is sharp everywhere. */
export const LOGO_BOX = { width: 640, height: 144 } as const

/** Square pictures of it, in pixels. */
export const iconSizes = [48, 180, 192, 512] as const

/** PNG is for emails, papers and search engines. */
export const logoAddress = ({ file, width }: Logo, format: 'webp' | 'png'): string =>
  `/pictures/${file}.${width}.${format}`

/** The squares have the hash of their logo. */
export const iconFileOf = (file: string): string => file.replace(/^logo/, 'icon')

export const iconAddress = ({ file }: Logo, size: (typeof iconSizes)[number]): string =>
  `/pictures/${iconFileOf(file)}.${size}.png`
