import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'

type Props = { id?: string; title: string; open?: boolean; children: ReactNode }

/** A native `details`: works without script, and find-in-page opens it. */
export const Accordion = ({ id, title, open = false, children }: Props) => (
  <details id={id} open={open} className="group scroll-mt-24 border-b border-line">
    <summary className="flex min-h-14 list-none items-center justify-between gap-4 py-3 font-semibold text-ink">
      {title}
      <Icon name="plus" className="size-5 group-open:hidden" />
      <Icon name="minus" className="hidden size-5 group-open:block" />
    </summary>
    <div className="pb-6">{children}</div>
  </details>
)
