/** What a cart line says of its variant: the colour, then the size where there is a choice of sizes (specification, section 3). */
export function variantNameOf(colour: string | null, size: string | null): string | null {
  const sizeLabel = size && size.toLowerCase() !== 'one size' ? size : null
  return [colour, sizeLabel].filter(Boolean).join(' / ') || null
}
