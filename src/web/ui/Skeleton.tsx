import { classNames } from './class-names.ts'

/** A loading placeholder; give it the size of the content. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={classNames('block animate-breathe rounded-card bg-line', className)} />
)
