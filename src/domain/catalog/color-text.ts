/** A color as its swatch shows it; `accent` colors a second part, such as the inside of a mug or the mesh of a hat. */
export type ProductColor = { name: string; hex: string; accent?: string | undefined }

/** As owners read and write it: `Navy #1f2a44`, and with a second color `Ivory with Gold #f3eee2 #b98d3c`. */
export const colorText = ({ name, hex, accent }: ProductColor): string => [name, hex, accent].filter(Boolean).join(' ')

/** Without a value its `hex` is empty, which the server refuses. */
export const colorIn = (text: string): ProductColor => {
  const [, name = text, hex = '', accent] = /^(.*?)\s*(#\S*)?\s*(#\S*)?$/.exec(text.trim()) ?? []
  return { name, hex, ...(accent !== undefined && { accent }) }
}
