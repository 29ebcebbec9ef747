/** A cart line's variant name: the color, then the size if there is a choice of sizes (specification, section 3). */
export function variantNameOf(color: string | null, size: string | null): string | null {
  const sizeLabel = size && size.toLowerCase() !== 'one size' ? size : null
  return [color, sizeLabel].filter(Boolean).join(' / ') || null
}
