import type { SessionUser } from '#contract/accounts.ts'
import { paths } from '#contract/paths.ts'
import { explainNeed, roles, type StaffNeed } from '#domain/accounts/roles.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'

/** Instead of a page of the admin that the person's role may not open: who may. */
export const ClosedPage = ({ user: { role }, need }: { user: SessionUser; need: StaffNeed }) => (
  <div className="shell grid min-h-[50vh] content-center justify-items-start gap-6 py-20">
    <PageHead title="No access" />
    <h1 className="text-headline">You can’t open this page</h1>
    <p className="max-w-[36em] text-lg text-ink-soft">
      {explainNeed(need)}{' '}
      {role ? `Your role is ${roles[role].name}. ` : 'Your account is fine; it just doesn’t have access. '}
      {role && 'Please ask an owner if you need it.'}
    </p>
    <Link to={role ? paths.admin : paths.home} className={buttonClass('primary')}>
      {role ? 'Back to the admin' : 'Back to the shop'}
    </Link>
  </div>
)
