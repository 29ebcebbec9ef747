import type { ReactNode } from 'react'
import { Link } from '#web/app/Link.tsx'
import { classNames } from '#web/ui/class-names.ts'

type Props = { to: string; isCurrent: boolean; children: ReactNode }

/** One of a row of links of which one is open. */
export const PillLink = ({ to, isCurrent, children }: Props) => (
  <Link
    to={to}
    aria-current={isCurrent ? 'page' : undefined}
    className={classNames(
      'inline-flex min-h-10 items-center rounded-full border px-4 text-[0.9375rem]',
      isCurrent ? 'border-ink bg-ink text-ivory' : 'border-ink/40 hover:border-ink',
    )}
  >
    {children}
  </Link>
)
