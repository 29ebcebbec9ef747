import { classNames } from './class-names.ts'

/** Keeps the place of what is still coming; give it the size of the real thing. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={classNames('block animate-breathe rounded-card bg-line', className)} />
)
