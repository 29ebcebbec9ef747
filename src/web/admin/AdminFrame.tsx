import type { ReactNode } from 'react'
import { paths } from '#contract/paths.ts'
import { RequireSignIn } from '#web/accounts/RequireSignIn.tsx'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'

type Props = {
  title: string
  /** Shown beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** The head of every admin page; `AdminLayout` is around it. Anyone but the owner sees that the page is closed to them. */
export const AdminFrame = ({ title, actions, children }: Props) => (
  <>
    <PageHead title={`${title} (admin)`} />
    <RequireSignIn>
      {(user) =>
        user.isOwner ? (
          <div className="mx-auto w-full max-w-[80rem] min-w-0 px-4 pt-5 pb-16 sm:px-6 lg:px-9 lg:pt-7">
            <header className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
              <h1 className="text-title wrap-anywhere">{title}</h1>
              {actions && <div className="flex flex-wrap items-center gap-3">{actions}</div>}
            </header>
            {children}
          </div>
        ) : (
          <OwnerOnly />
        )
      }
    </RequireSignIn>
  </>
)

const OwnerOnly = () => (
  <div className="shell grid min-h-[50vh] content-center justify-items-start gap-6 py-20">
    <h1 className="text-headline">This page is for the owner</h1>
    <p className="max-w-[36em] text-lg text-ink-soft">Your account is fine; it just doesn’t have access.</p>
    <Link to={paths.home} className={buttonClass('primary')}>
      Back to the shop
    </Link>
  </div>
)
