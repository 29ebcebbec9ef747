/** What a cart line says of its variant: the color, then the size where there is a choice of sizes (specification, section 3). */
export function variantNameOf(color: string | null, size: string | null): string | null {
  const sizeLabel = size && size.toLowerCase() !== 'one size' ? size : null
  return [color, sizeLabel].filter(Boolean).join(' / ') || null
}
