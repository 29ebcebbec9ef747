import type { ReactNode } from 'react'
import { Icon } from '#web/ui/Icon.tsx'

/** A row of the list of what else can be done: a link or a button with `OrderAction` in it. */
export const orderAction =
  'group flex items-center justify-between gap-4 border-b border-line py-4 text-left font-medium underline-offset-4'

type Props = { note?: string; children: ReactNode }

export const OrderAction = ({ note, children }: Props) => (
  <>
    <span>
      <span className="group-hover:underline">{children}</span>
      {note !== undefined && <span className="block text-sm font-normal text-ink-soft">{note}</span>}
    </span>
    <Icon name="down" className="size-4 -rotate-90 text-ink-soft transition-transform group-hover:translate-x-0.5" />
  </>
)
