import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'

/** What somebody agrees to by registering. */
export const RegistrationTerms = () => (
  <>
    By registering you agree to the{' '}
    <Link to={paths.termsOfService} className="link-line">
      Terms of Service
    </Link>{' '}
    and have read the{' '}
    <Link to={paths.privacyPolicy} className="link-line">
      Privacy Policy
    </Link>
    .
  </>
)
