import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { FoldIcon } from './FoldIcon.tsx'

type Props = {
  id?: string
  /** Words, or a heading. */
  title: ReactNode
  open?: boolean
  /** A quiet line between others, without a rule below it. */
  isSmall?: boolean
  children: ReactNode
}

/** A native `details`: works without script, and find-in-page opens it. */
export const Accordion = ({ id, title, open = false, isSmall = false, children }: Props) => (
  <details id={id} open={open} className={classNames('group scroll-mt-24', !isSmall && 'border-b border-line')}>
    <summary
      className={classNames(
        'flex list-none items-center justify-between gap-4 text-ink',
        // The icon's lines end with its container.
        '-mr-1',
        isSmall ? 'min-h-11 py-1.5 text-[0.9375rem]' : 'min-h-14 py-3 font-semibold',
      )}
    >
      {title}
      <FoldIcon className="size-5" />
    </summary>
    <div className={isSmall ? 'pb-3' : 'pb-6'}>{children}</div>
  </details>
)
