import type { ReactNode } from 'react'
import { POLICIES_UPDATED } from '#site/policy-texts.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'

type Section = { id: string; title: string; text: ReactNode }
type Props = {
  title: string
  description: string
  /** The whole document in two sentences. */
  summary: ReactNode
  sections: readonly Section[]
}

/** Running text: lines of about 70 letters, list markers in the collection's color. */
const prose =
  'max-w-[42rem] [&_p]:mt-4 [&_ul]:mt-4 [&_ul]:grid [&_ul]:gap-2 [&_ul]:list-disc [&_ul]:pl-5 [&_li]:pl-1 [&_li]:marker:text-accent [&_h3]:mt-8 [&_h3]:text-[1.25rem] [&_h3]:leading-tight [&_strong]:font-semibold [&_a]:link-line'

/** A legal document: every section has a number, an anchor and an entry in the table of contents. */
export const PolicyPage = ({ title, description, summary, sections }: Props) => (
  <>
    <PageHead title={title} description={description} />
    <div className="shell pt-8 lg:pt-12">
      <p>
        <Link to={paths.home} className="link-line inline-flex min-h-11 items-center gap-2 font-medium">
          <Icon name="left" className="size-5" />
          Back to Home
        </Link>
      </p>
      <header className="mt-6 border-b border-ink/25 pb-10 lg:mt-8">
        <h1 className="text-display">{title}</h1>
        <p className="mt-5 text-ink-soft">
          Last updated <time dateTime={POLICIES_UPDATED.day}>{POLICIES_UPDATED.text}</time>
        </p>
      </header>
      <div className="grid gap-x-20 gap-y-10 pt-10 lg:grid-cols-[16rem_1fr] lg:pt-14">
        <nav aria-label="Contents" className="lg:sticky lg:top-24 lg:self-start">
          <h2 className="font-text! text-[0.9375rem] font-semibold tracking-normal">Contents</h2>
          <ol className="mt-3 sm:max-lg:columns-2">
            {sections.map(({ id, title: sectionTitle }, index) => (
              <li key={id}>
                <Link
                  to={`#${id}`}
                  className="flex gap-3 py-1.5 leading-snug text-ink-soft underline-offset-4 hover:text-ink hover:underline"
                >
                  <span className="min-w-6 tabular-nums">{index + 1}.</span>
                  {sectionTitle}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <article className={prose}>
          <div className="rounded-card border border-line bg-surface p-6 text-lg [&>*:first-child]:mt-0!">
            {summary}
          </div>
          {sections.map(({ id, title: sectionTitle, text }, index) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`} className="scroll-mt-24 pt-12">
              <h2 id={`${id}-title`} className="flex gap-3 text-title">
                <span className="text-ink-soft tabular-nums">{index + 1}.</span>
                {sectionTitle}
              </h2>
              {text}
            </section>
          ))}
        </article>
      </div>
    </div>
  </>
)

export const EmailLink = ({ address }: { address: string }) => <a href={`mailto:${address}`}>{address}</a>
