import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { IconButton } from './IconButton.tsx'

type Step = Omit<ComponentProps<typeof IconButton>, 'icon'>
/** @property label names the group for screen readers, where the number does not name itself */
type Props = { label?: string; fewer: Step; more: Step; className?: string; children: ReactNode }

/** A number between its two buttons. */
export const Stepper = ({ label, fewer, more, className, children }: Props) => (
  <div
    role={label && 'group'}
    aria-label={label}
    className={classNames('inline-flex shrink-0 items-center rounded-card border border-ink/45 bg-surface', className)}
  >
    <IconButton icon="minus" {...fewer} />
    {children}
    <IconButton icon="plus" {...more} />
  </div>
)
