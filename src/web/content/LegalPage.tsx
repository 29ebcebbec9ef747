import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'react-router'
import type { LegalPage as Answer } from '#contract/legal.ts'
import { paths } from '#contract/paths.ts'
import {
  isLegalPageName,
  legalPages,
  legalVersionPath,
  readLegalText,
  type LegalPageName,
} from '#domain/legal/legal-text.ts'
import { dateFormat, spokenAddress, spokenLanguage } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import { legalQuery } from '#web/api/queries.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { LegalArticle } from './LegalArticle.tsx'
import { useLegalFacts } from './legal-facts.ts'

const descriptions: Readonly<Record<LegalPageName, (shop: string) => string>> = {
  'terms-of-service': (shop) =>
    say('The terms on which {shop} sells, makes and delivers, with the rules for promotional raffles.', { shop }),
  'privacy-policy': (shop) =>
    say('What {shop} knows about you, why, for how long, who else gets it, and how to have it deleted.', { shop }),
  'shipping-returns': (shop) =>
    say('How long {shop} takes to make and ship an order, what shipping costs, and what to do if something is wrong.', {
      shop,
    }),
}

/** `/terms-of-service`, `/privacy-policy` and `/shipping-returns`; with `?version=` as they were in a version. */
export function LegalPage() {
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const [, page = ''] = pathname.split('/')
  const text = useQuery(legalQuery(page, search.get('version'), spokenLanguage()))
  const site = useSite()
  // The router has only these.
  if (!isLegalPageName(page)) return null
  const title = sayKnown(legalPages[page].label)
  return (
    <>
      <PageHead title={title} description={descriptions[page](site.name)} />
      <div className="shell pt-8 lg:pt-12">
        <p>
          <Link to={paths.home} className="link-line inline-flex min-h-11 items-center gap-2 font-medium">
            <Icon name="left" className="size-5" />
            {say('Back to Home')}
          </Link>
        </p>
        <QueryBoundary query={text}>{(answer) => <Text page={page} title={title} answer={answer} />}</QueryBoundary>
      </div>
    </>
  )
}

/** Every section has an entry in the table of contents. */
function Text({ page, title, answer }: { page: LegalPageName; title: string; answer: Answer }) {
  const [search] = useSearchParams()
  const { translation } = answer
  const language = translation ? spokenLanguage() : 'en'
  const today = useLegalFacts(language)
  const english = readLegalText(answer.text, { ...today, ...answer.figures })
  const document = translation ? readLegalText(translation.text, today, english) : english
  const hasOldFigures = JSON.stringify(english) !== JSON.stringify(readLegalText(answer.text, today))
  const isOld = hasOldFigures || answer.version !== answer.versions[0]?.version
  return (
    <>
      <header className="mt-6 border-b border-ink/25 pb-10 lg:mt-8">
        <h1 className="text-display">{title}</h1>
        <p className="mt-5 text-ink-soft">
          <Sentence word="Last updated {day}" parts={{ day: <Day at={answer.publishedAt} /> }} />
        </p>
        {translation && <Signature page={page} version={answer.version} translation={translation} />}
        {isOld && (
          <div className="mt-5 max-w-[42rem]">
            <Notice
              tone="calm"
              title={say('This is version {version}. It applies to orders of its time.', {
                version: search.get('version') ?? '',
              })}
            >
              {answer.figures === null && `${say('Figures that follow the shop’s settings are today’s.')} `}
              <Link to={`/${page}`} className="link-line">
                {say('Read the current version')}
              </Link>
            </Notice>
          </div>
        )}
      </header>
      <div className="grid gap-x-20 gap-y-10 pt-10 lg:grid-cols-[16rem_1fr] lg:pt-14">
        <nav aria-label={say('Contents')} className="lg:sticky lg:top-24 lg:self-start">
          <h2 className="font-text! text-[0.9375rem] font-semibold tracking-normal">{say('Contents')}</h2>
          <ol lang={language} className="mt-3 sm:max-lg:columns-2">
            {document.sections.map(({ id, title: sectionTitle }, index) => (
              <li key={id}>
                <Link
                  to={`#${id}`}
                  className="flex gap-3 py-1.5 leading-snug text-ink-soft underline-offset-4 hover:text-ink hover:underline"
                >
                  <span className="min-w-6">{index + 1}.</span>
                  {sectionTitle}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <LegalArticle document={document} language={language} />
        {answer.versions.length > 1 && <Versions page={page} answer={answer} />}
      </div>
    </>
  )
}

type SignatureProps = { page: LegalPageName; version: number; translation: NonNullable<Answer['translation']> }

/** Whose word a translation is, and what binds. */
const Signature = ({ page, version, translation: { signedBy, signedOn } }: SignatureProps) => (
  <p className="mt-3 max-w-[42rem] text-ink-soft">
    <Sentence
      word="Translation of version {version}, signed by {name} on {day}. The {english} binds."
      parts={{
        version,
        name: signedBy,
        day: <Day at={signedOn} />,
        english: (
          <a href={`/${page}`} hrefLang="en" className="link-line">
            {say('English text')}
          </a>
        ),
      }}
    />
  </p>
)

const Versions = ({ page, answer: { version: shown, versions } }: { page: LegalPageName; answer: Answer }) => (
  <section aria-labelledby="all-versions" className="max-w-[42rem] border-t border-line pt-6 lg:col-start-2">
    <h2 id="all-versions" className="font-text! text-[0.9375rem] font-semibold tracking-normal">
      {say('All versions')}
    </h2>
    <ul className="mt-2 text-ink-soft">
      {versions.map(({ version, publishedAt }) => (
        <li key={version}>
          {/* A load of its own begins at the top, where the page says which version it is. */}
          <a
            href={spokenAddress(legalVersionPath(page, version))}
            aria-current={version === shown ? 'page' : undefined}
            className="link-line inline-flex min-h-11 items-center"
          >
            {say('Version {version}', { version })}
          </a>
          , <Day at={publishedAt} />
        </li>
      ))}
    </ul>
  </section>
)

/** The same everywhere: the day in UTC. */
const Day = ({ at }: { at: string }) => (
  <time dateTime={at.slice(0, 10)}>{dateFormat({ dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at))}</time>
)
