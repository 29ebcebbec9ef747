import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'

type Props = { title: string; open?: boolean; children: ReactNode }

/** A native `details`: works without script, and find-in-page opens it. */
export const Accordion = ({ title, open = false, children }: Props) => (
  <details open={open} className="group border-b border-line">
    <summary className="flex min-h-14 list-none items-center justify-between gap-4 py-3 font-semibold">
      {title}
      <Icon name="plus" className="size-5 transition-transform duration-200 group-open:rotate-45" />
    </summary>
    <div className="pb-6 text-ink-soft">{children}</div>
  </details>
)
