import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'
import { formatMonth } from './earnings-format.ts'
import { PayoutAccount } from './PayoutAccount.tsx'
import { Part, PortalFrame } from './PortalFrame.tsx'

/** `/partnership/statements`: a partner's statement of each month, and where payouts go. */
export const StatementsPage = () => (
  <PortalFrame title="Statements">
    {({ months, timeZone }) => (
      <>
        <ul className="max-w-[44rem]">
          {months.map((month) => (
            <li key={month} className="flex flex-wrap items-center gap-x-6 border-t border-line first:border-t-0">
              <Link to={paths.statement(month)} className="link-line mr-auto inline-flex min-h-12 items-center">
                {formatMonth(month)}
              </Link>
              {(['pdf', 'xlsx'] as const).map((kind) => (
                <a
                  key={kind}
                  href={paths.statementFile(month, kind)}
                  download
                  className="link-line inline-flex min-h-12 items-center"
                >
                  {kind === 'pdf' ? 'PDF' : 'Excel'}
                  <span className="sr-only"> of {formatMonth(month)}</span>
                </a>
              ))}
            </li>
          ))}
        </ul>
        <Part id="payout-account" title="Payout account">
          <PayoutAccount timeZone={timeZone} />
        </Part>
      </>
    )}
  </PortalFrame>
)
