import { useQuery } from '@tanstack/react-query'
import type { WithdrawalChoice, WithdrawalGroup } from '#domain/claims/withdrawal-law.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import type { Answer } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { withdrawalRightsQuery } from './admin-queries.ts'
import { useChange } from './use-action.ts'

type Rights = Answer<'GET /api/admin/withdrawal-rights'>

/** `/admin/claims/withdrawal`: where shoppers can take back a purchase, beside the law of each group of countries. */
export function WithdrawalRightsPage() {
  const query = useQuery(withdrawalRightsQuery)
  return (
    <AdminFrame title="Withdrawal">
      <p className="mb-6 max-w-[46em] text-ink-soft">
        Consumers in some countries may take back an online purchase without a reason. Where you offer it, their order’s
        page has a Withdraw button, and requests appear under{' '}
        <Link to={claimPaths.admin} className="link-line">
          Claims
        </Link>
        . This is our understanding of the laws in November 2026, and each says what it was compared with. It is no
        legal advice: ask a lawyer before you rely on it.
      </p>
      <QueryBoundary query={query}>
        {(rights) => <RightsForm key={JSON.stringify(rights.choices)} rights={rights} />}
      </QueryBoundary>
    </AdminFrame>
  )
}

const OFFERED = { value: 'offered', label: 'Offered' } as const
const choice = (typed: string | undefined): WithdrawalChoice => (typed === 'offered' ? 'offered' : 'exception')

function RightsForm({ rights: { choices, laws } }: { rights: Rights }) {
  const api = useApi()
  const change = useChange()
  return (
    <ApiForm
      aria-label="Where withdrawal is offered"
      className="grid gap-6"
      send={(typed) =>
        change(() =>
          api('PUT /api/admin/withdrawal-rights', {
            body: {
              was: choices,
              choices: {
                eea: choice(typed['eea']),
                uk: choice(typed['uk']),
                brazil: choice(typed['brazil']),
                korea: choice(typed['korea']),
                elsewhere: choice(typed['elsewhere']),
              },
            },
          }),
        )
      }
    >
      {laws.map(({ group, name, days, law, exception, reading, source, compared }) => (
        <section key={group} aria-labelledby={group} className="rounded-card border border-line bg-surface p-5">
          <h2 id={group} className="text-[1.25rem] leading-tight">
            {name}
          </h2>
          <Select
            className="mt-3 max-w-96"
            label="Withdrawal"
            name={group}
            defaultValue={choices[group]}
            options={[OFFERED, { value: 'exception', label: refusalLabel(group, exception) }]}
          />
          <dl className="mt-4 grid gap-3 text-[0.9375rem]">
            <div>
              <dt className="text-ink-soft">Time</dt>
              <dd>{days} days from the day on which the last of the goods arrived</dd>
            </div>
            <div>
              <dt className="text-ink-soft">Law</dt>
              <dd className="max-w-[46em]">
                {source ? (
                  <a href={source} rel="noopener noreferrer" className="link-line">
                    {law}
                  </a>
                ) : (
                  law
                )}
              </dd>
            </div>
            <div>
              <dt className="text-ink-soft">Goods made to order</dt>
              <dd className="max-w-[46em]">
                {exception && `Exception: ${exception}. `}
                {reading}
              </dd>
            </div>
            <div>
              <dt className="text-ink-soft">Compared with</dt>
              <dd className="max-w-[46em]">{compared}</dd>
            </div>
          </dl>
        </section>
      ))}
      <FormNotice />
      <div>
        <SubmitButton>Save</SubmitButton>
      </div>
    </ApiForm>
  )
}

const refusalLabel = (group: WithdrawalGroup, exception: string | null): string =>
  group !== 'elsewhere' && exception ? `Not offered: ${exception}` : 'Not offered'
