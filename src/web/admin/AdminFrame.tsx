import type { ReactNode } from 'react'
import { useMatches } from 'react-router'
import { needOfForm } from '#contract/page-access.ts'
import { explainNeed, roleMay, type StaffRole } from '#domain/accounts/roles.ts'
import { RequireSignIn } from '#web/accounts/RequireSignIn.tsx'
import { Notice } from '#web/ui/Notice.tsx'
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
      {(user) => (
        <div className="mx-auto w-full max-w-[80rem] min-w-0 px-4 pt-5 pb-16 sm:px-6 lg:px-9 lg:pt-7">
          <header className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <h1 className="text-title wrap-anywhere">{title}</h1>
            {actions && <div className="flex flex-wrap items-center gap-3">{actions}</div>}
          </header>
          <Lockable role={user.role}>{children}</Lockable>
        </div>
      )}
    </RequireSignIn>
  </>
)

/** A page that is all form, for somebody who may only read it. */
function Lockable({ role, children }: { role: StaffRole | null; children: ReactNode }) {
  const need = needOfForm(useMatches().at(-1)?.id ?? '')
  if (!need || roleMay(role, need)) return children
  return (
    <>
      <Notice tone="calm" title="You can read this page">
        Changes are for others: {explainNeed(need)}
      </Notice>
      <fieldset disabled className="mt-6 min-w-0">
        <legend className="sr-only">Locked for your role</legend>
        {children}
      </fieldset>
    </>
  )
}
