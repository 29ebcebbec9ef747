import { classNames } from './class-names.ts'

export type BadgeMetal = 'gold' | 'silver' | 'bronze'

/** Styled like the stamp on a metal bar, in the style sheet: a list has a dozen. */
export const Badge = ({ metal, children, className }: { metal: BadgeMetal; children: string; className?: string }) => (
  <span className={classNames(`badge badge-${metal}`, className)}>{children}</span>
)
