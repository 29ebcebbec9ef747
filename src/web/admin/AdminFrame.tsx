import type { ReactNode } from 'react'
import { RequireSignIn } from '#web/accounts/RequireSignIn.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'

type Props = {
  title: string
  /** Shown beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** The head of every admin page; `AdminLayout` is around it, and decides who sees it. */
export const AdminFrame = ({ title, actions, children }: Props) => (
  <>
    <PageHead title={`${title} (admin)`} />
    <RequireSignIn>
      {() => (
        <div className="mx-auto w-full max-w-[80rem] min-w-0 px-4 pt-5 pb-16 sm:px-6 lg:px-9 lg:pt-7">
          <header className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <h1 className="text-title wrap-anywhere">{title}</h1>
            {actions && <div className="flex flex-wrap items-center gap-3">{actions}</div>}
          </header>
          {children}
        </div>
      )}
    </RequireSignIn>
  </>
)
