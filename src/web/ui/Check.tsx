import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { Notice } from './Notice.tsx'

type Props = { passed: boolean; failure: string; children: ReactNode }

/** Whether two sums agree: a check mark, or a warning with `failure` as its title. */
export const Check = ({ passed, failure, children }: Props) =>
  passed ? (
    <div className="flex items-start gap-2 text-[0.9375rem]">
      <Icon name="check" className="mt-0.5 size-5 shrink-0 text-good" />
      <p>{children}</p>
    </div>
  ) : (
    <Notice title={failure}>{children}</Notice>
  )
