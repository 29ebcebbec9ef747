import { useInfiniteQuery } from '@tanstack/react-query'
import { BASIS_POINTS_PER_PERCENT, type PageSettings } from '#site/settings.ts'
import type { ReceivedApplication } from '#contract/partners.ts'
import { formatRate } from '#domain/partners/rates.ts'
import { useSite } from '#web/api/use-site.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormButton, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { MoreButton } from '#web/ui/MoreButton.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { pagedQuery } from './message-queries.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { formatNewYorkTime, waitingSummary } from './date-format.ts'
import { PartnerRates } from './PartnerRates.tsx'
import { useChange } from './use-action.ts'
import { May } from './May.tsx'

/** `/admin/partners`: the partners' rates, and applications. */
export function PartnersPage() {
  const query = useInfiniteQuery(pagedQuery(useApi(), 'GET /api/admin/applications'))
  return (
    <AdminFrame title="Partners">
      <PartnerRates />
      <h2 className="mt-12 mb-2 text-[1.375rem]">Applications</h2>
      <p className="mb-6 max-w-[44em] text-ink-soft">
        Applications from the portal. Accepting one creates a partner with a link and a share, and offers the proposal.
        Applicants see the answer in the portal, and get an email if we have their address.
      </p>
      <QueryBoundary query={query}>
        {({ pages }) => {
          const applications = pages.flatMap((page) => page.applications)
          return applications.length === 0 ? (
            <p className="text-ink-soft">No applications yet.</p>
          ) : (
            <>
              <p role="status" className="mb-4 text-ink-soft">
                {waitingSummary(pages[0]?.waiting ?? 0)}
              </p>
              <ul className="grid gap-5">
                {applications.map((application) => (
                  <Application key={application.id} application={application} />
                ))}
              </ul>
            </>
          )
        }}
      </QueryBoundary>
      <MoreButton query={query}>More</MoreButton>
    </AdminFrame>
  )
}

const states: Record<ReceivedApplication['state'], string> = {
  waiting: 'Waiting',
  accepted: 'Accepted',
  declined: 'Declined',
}

function Application({ application }: { application: ReceivedApplication }) {
  const { name, username, channel, audience, message, email, state, reply, sentAt, decidedAt } = application
  return (
    <li className="rounded-card border border-line bg-surface p-5">
      <h3 className="text-[1.125rem] leading-tight wrap-anywhere">{name}</h3>
      <p className="mt-1 text-[0.9375rem] wrap-anywhere text-ink-soft">
        {states[state]} · {username}
        {email && `, ${email}`} · <time dateTime={sentAt}>{formatNewYorkTime(sentAt)}</time>
      </p>
      <dl className="mt-4 grid gap-x-8 gap-y-2 sm:grid-cols-[auto_1fr]">
        <dt className="text-ink-soft">Channel</dt>
        <dd className="wrap-anywhere">{channel}</dd>
        <dt className="text-ink-soft">Audience</dt>
        <dd className="wrap-anywhere">{audience}</dd>
      </dl>
      <p className="mt-4 max-w-[46em] whitespace-pre-line wrap-anywhere">{message}</p>
      {decidedAt && (
        <p className="mt-4 border-l-2 border-line pl-4 whitespace-pre-line wrap-anywhere">
          <span className="block text-sm text-ink-soft">
            {states[state]} <time dateTime={decidedAt}>{formatNewYorkTime(decidedAt)}</time>
          </span>
          {reply}
        </p>
      )}
      {state === 'waiting' && (
        <May need="owner">
          <Decision application={application} />
        </May>
      )}
    </li>
  )
}

/** From the usual share to the most, in steps of half a percent. */
const sharesOf = ({ commission: { usual, most } }: PageSettings): number[] =>
  Array.from({ length: (most - usual) * 2 + 1 }, (_, step) => usual * BASIS_POINTS_PER_PERCENT + step * 50)

function Decision({ application: { id, name } }: { application: ReceivedApplication }) {
  const api = useApi()
  const change = useChange()
  const site = useSite()
  const params = { id }
  return (
    <ApiForm
      send={({ share, reply = '' }) =>
        change(async () => {
          const body = { shareBasisPoints: Number(share), reply }
          await api('POST /api/admin/applications/:id/accept', { params, body })
          return { done: `${name} is now a partner` }
        })
      }
      aria-label={`Application from ${name}`}
      className="mt-5 grid max-w-[38rem] gap-4 border-t border-line pt-5"
    >
      <Select
        label="Share"
        name="share"
        defaultValue={String(site.commission.usual * BASIS_POINTS_PER_PERCENT)}
        hint="You can change it later under Rates."
        options={sharesOf(site).map((basisPoints) => ({ value: String(basisPoints), label: formatRate(basisPoints) }))}
      />
      <TextArea label="Reply (optional)" name="reply" rows={3} maxLength={2000} />
      <FormNotice />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>Accept</SubmitButton>
        <FormButton
          variant="outline"
          send={({ reply = '' }) =>
            change(async () => {
              await api('POST /api/admin/applications/:id/decline', { params, body: { reply } })
              return { done: 'Declined' }
            })
          }
        >
          Decline
        </FormButton>
      </div>
    </ApiForm>
  )
}
