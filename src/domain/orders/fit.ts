/** How something worn fits, by those who bought it. */
export const fits = ['small', 'true', 'large'] as const
export type Fit = (typeof fits)[number]
