import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Props = { title?: string; tone?: 'danger' | 'calm'; children: ReactNode }

/** Screen readers read errors immediately, and other notices at the next pause. */
export const Notice = ({ title, tone = 'danger', children }: Props) => (
  <div
    role={tone === 'danger' ? 'alert' : 'status'}
    className={classNames(
      'rounded-card border p-4 text-[0.9375rem] leading-snug',
      tone === 'danger' ? 'border-danger/60 bg-danger-soft text-charcoal' : 'border-accent bg-button-quiet text-ink',
    )}
  >
    {title && <p className="font-semibold">{title}</p>}
    <div className={classNames(title && 'mt-1')}>{children}</div>
  </div>
)
