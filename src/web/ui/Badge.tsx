export type BadgeMetal = 'gold' | 'silver' | 'bronze'

/** Styled like the stamp on a metal bar, in the style sheet: a list has a dozen. */
export const Badge = ({ metal, children }: { metal: BadgeMetal; children: string }) => (
  <span className={`badge badge-${metal}`}>{children}</span>
)
