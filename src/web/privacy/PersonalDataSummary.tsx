import type { PersonalDataCounts } from '#contract/privacy.ts'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'

const rows: readonly [name: keyof PersonalDataCounts, title: Word, underWay?: keyof PersonalDataCounts][] = [
  ['orders', 'Orders', 'ordersUnderWay'],
  ['pastOrders', 'Orders of a former shop'],
  ['checkouts', 'Checkouts, paid or abandoned', 'checkoutsUnderWay'],
  ['mails', 'Emails'],
  ['messages', 'Conversations'],
  ['subscriptions', 'Newsletter'],
  ['accounts', 'Account'],
]

export const hasPersonalData = (known: PersonalDataCounts): boolean => rows.some(([name]) => known[name] > 0)

export const PersonalDataSummary = ({ known }: { known: PersonalDataCounts }) => (
  <dl className="grid max-w-[30rem] grid-cols-[1fr_auto] gap-x-8 gap-y-2">
    {rows.map(([name, title, underWay]) => (
      <div key={name} className="contents">
        <dt>
          {say(title)}
          {underWay && known[underWay] > 0 && (
            <span className="block text-sm text-ink-soft">
              {say('{count} in progress', { count: known[underWay] })}
            </span>
          )}
        </dt>
        <dd className="text-right font-semibold">{known[name]}</dd>
      </div>
    ))}
  </dl>
)
