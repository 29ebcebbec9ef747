type Shown = { src: string; view: string; colour: string | null }

/**
 * The large picture: the one that the shopper clicked, else the chosen variant's, else the product's first
 * (specification, section 4, Detail page).
 */
export const mainPicture = <P extends Shown>(
  pictures: readonly P[],
  { clicked, colour }: { clicked: string | undefined; colour: string | null },
): P | undefined =>
  pictures.find(({ src }) => src === clicked) ?? pictures.find((picture) => picture.colour === colour) ?? pictures[0]

/** What a picture shows, for those who do not see it: product, colour and view. */
export function altOf(productName: string, { view, colour }: Pick<Shown, 'view' | 'colour'>): string {
  return [`${productName}${colour ? ` in ${colour}` : ''}`, view].filter(Boolean).join(', ')
}

/** One picture per colour, in the order of the pictures: what a card can show. */
export const firstOfEachColour = <P extends Shown>(pictures: readonly P[]): P[] =>
  pictures.filter(({ colour }, index) => pictures.findIndex((other) => other.colour === colour) === index)
