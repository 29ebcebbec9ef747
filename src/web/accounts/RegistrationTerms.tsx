import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'
import { say } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'

/** What somebody agrees to by registering. */
export const RegistrationTerms = () => (
  <Sentence
    word="By registering you agree to the {terms} and have read the {privacy}."
    parts={{
      terms: (
        <Link to={paths.termsOfService} className="link-line">
          {say('Terms of Service')}
        </Link>
      ),
      privacy: (
        <Link to={paths.privacyPolicy} className="link-line">
          {say('Privacy Policy')}
        </Link>
      ),
    }}
  />
)
