import { say, sayKnown } from '#words/say.ts'

/** `Ivory with Gold` in the spoken language. */
export function sayColor(name: string): string {
  const [, color = '', second = ''] = /^(.+?) with (.+)$/.exec(name) ?? []
  return color ? say('{color} with {second}', { color: sayKnown(color), second: sayKnown(second) }) : sayKnown(name)
}

/** `Ivory with Gold / M`, as carts and orders have it, in the spoken language. */
export const sayVariant = (name: string): string => name.split(' / ').map(sayColor).join(' / ')

/** A cart line's variant name: the color, then the size if there is a choice of sizes (specification, section 3). */
export function variantNameOf(color: string | null, size: string | null): string | null {
  const sizeLabel = size && size.toLowerCase() !== 'one size' ? size : null
  return [color, sizeLabel].filter(Boolean).join(' / ') || null
}
