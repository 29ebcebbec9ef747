import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'

export const PartnersOnly = () => (
  <div className="shell grid min-h-[50vh] content-center justify-items-start gap-6 py-20">
    <h1 className="text-headline">This page is for partners</h1>
    <p className="max-w-[36em] text-lg text-ink-soft">
      Your account isn’t a partner account yet. The portal explains the program and how to apply.
    </p>
    <Link to={paths.partnership} className={buttonClass('primary')}>
      Go to the partner portal
    </Link>
  </div>
)
