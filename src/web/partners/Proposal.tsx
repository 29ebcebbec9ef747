import { proposalTo } from '#site/partnership.ts'
import type { Partnership, Proposal as ProposalVersion } from '#contract/partners.ts'
import { formatRate } from '#domain/partners/rates.ts'
import { useSite } from '#web/api/use-site.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { formatDay } from './date-format.ts'
import type { ShowPartnership } from './use-partnership.ts'

/** The proposal letter, with the offered version and the agreement accepted before it. */
export function Proposal({
  partnership: { name, partner },
  show,
}: {
  partnership: Partnership
  show: ShowPartnership
}) {
  const proposal = partner?.proposal
  const site = useSite()
  return (
    <article className="rounded-card border border-line bg-surface px-6 py-9 shadow-card sm:px-10 lg:px-14 lg:py-14">
      {proposal?.acceptedAt && (
        <p className="eyebrow mb-2 text-ink-soft">
          Version {proposal.version}, accepted on {formatDay(proposal.acceptedAt)}
        </p>
      )}
      <h2 id="proposal" className="text-title wrap-anywhere">
        {proposal?.acceptedAt ? 'Our agreement with' : 'A proposal for'} {name}
      </h2>
      <div className="mt-7 text-[1.0625rem]">
        <Letter paragraphs={proposal?.paragraphs ?? proposalTo(name, site, partner?.shareBasisPoints)} />
      </div>
      {proposal && <Version proposal={proposal} show={show} />}
      {partner?.agreement && <Agreement agreement={partner.agreement} />}
    </article>
  )
}

const Letter = ({ paragraphs: [greeting = '', ...paragraphs] }: { paragraphs: readonly string[] }) => (
  <div className="grid max-w-[38em] gap-4 leading-relaxed">
    <p className="font-medium wrap-anywhere">{greeting}</p>
    {paragraphs.map((paragraph) => (
      <p key={paragraph}>{paragraph.charAt(0).toUpperCase() + paragraph.slice(1)}</p>
    ))}
    <p className="font-display text-[1.25rem]">The people of {useSite().name}</p>
  </div>
)

/** The last accepted version, while a newer one is open. */
const Agreement = ({ agreement: { version, acceptedAt, paragraphs } }: { agreement: ProposalVersion }) => (
  <details className="mt-6 border-t border-line pt-4">
    <summary className="link-line inline-flex min-h-11 items-center">
      Current agreement: version {version}, accepted on {formatDay(acceptedAt ?? '')}
    </summary>
    <div className="mt-4 text-ink-soft">
      <Letter paragraphs={paragraphs} />
    </div>
  </details>
)

function Version({ proposal, show }: { proposal: ProposalVersion; show: ShowPartnership }) {
  const api = useApi()
  const { run, busy, failure } = useRequest()
  const { version, shareBasisPoints, validFrom, acceptedAt } = proposal

  const accept = () => run(async () => show(await api('POST /api/partnership/proposal', { body: { version } })))

  return (
    <div className="mt-9 grid justify-items-start gap-4 border-t border-line pt-6">
      <p>
        <strong className="font-semibold">Version {version}:</strong> your share is {formatRate(shareBasisPoints)} from{' '}
        <time dateTime={validFrom}>{formatDay(validFrom)}</time>.
      </p>
      {failure && <Notice>{failure.sentence}</Notice>}
      {acceptedAt ? (
        <p role="status" className="text-ink-soft">
          You accepted this version on <time dateTime={acceptedAt}>{formatDay(acceptedAt)}</time>.
        </p>
      ) : (
        <Button busy={busy} onClick={() => void accept()}>
          Accept this proposal
        </Button>
      )}
    </div>
  )
}
