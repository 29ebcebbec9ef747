import { and, desc, gte, inArray, lt, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { paths } from '#contract/paths.ts'
import type { PolicyViolation } from '#domain/doctor/findings.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { autocommitWrite, type Reader, type Tx } from '#server/db/db.ts'
import { policyReport } from '#server/admin/schema.ts'
import type { App } from '#server/http/app.ts'
import { POLICY_REPORTS } from '#server/http/security.ts'
import type { Needs } from '#server/shop.ts'

const BODY_MAX_BYTES = 16 * 1024
/** Browsers send several reports of a page in one request. */
const REPORTS_PER_REQUEST_MAX = 20
/** Distinct violations that are stored: made-up reports can fill this table and nothing else. */
const REPORTS_MAX = 200
const RETENTION_MS = 30 * DAY_MS
const SHOWN_MS = 7 * DAY_MS

const text = z.string().check(z.maxLength(2000))

/** The two forms in which browsers report: `report-uri` (CSP 2) and the Reporting API. */
const Report = z.union([
  z.pipe(
    z.object({
      'csp-report': z.object({
        'document-uri': text,
        'blocked-uri': text,
        'violated-directive': z.optional(text),
        'effective-directive': z.optional(text),
      }),
    }),
    z.transform(({ 'csp-report': report }) => ({
      page: report['document-uri'],
      blocked: report['blocked-uri'],
      directive: report['effective-directive'] ?? report['violated-directive'] ?? '',
    })),
  ),
  z.pipe(
    z.object({
      type: z.literal('csp-violation'),
      body: z.object({ documentURL: text, blockedURL: z.optional(z.nullable(text)), effectiveDirective: text }),
    }),
    z.transform(({ body }) => ({
      page: body.documentURL,
      blocked: body.blockedURL ?? 'inline',
      directive: body.effectiveDirective,
    })),
  ),
])
const Reports = z.union([
  z.pipe(
    Report,
    z.transform((report) => [report]),
  ),
  z.array(Report).check(z.maxLength(REPORTS_PER_REQUEST_MAX)),
])

/** How the standard writes directives; anything else is made up. */
const DIRECTIVE = /^[a-z]+(?:-[a-z]+){1,3}$/
const PAGE_MAX = 200

/** A report without anything personal; undefined for nonsense and for what browser extensions cause. */
function storable({ page, blocked, directive }: { page: string; blocked: string; directive: string }) {
  const named = directive.split(' ', 1)[0] ?? ''
  if (!DIRECTIVE.test(named) || !URL.canParse(page)) return undefined
  const source = /^(?:inline|eval|wasm-eval|data|blob)$/.test(blocked) ? blocked : originOf(blocked)
  if (!source) return undefined
  return { directive: named, blocked: source, page: new URL(page).pathname.slice(0, PAGE_MAX) }
}

const originOf = (address: string): string | undefined =>
  URL.canParse(address) && /^(?:https?|wss?):$/.test(new URL(address).protocol) ? new URL(address).origin : undefined

/** Takes the browsers' reports of content security policy violations; always answers 204. */
export function policyReportRoutes({ http }: App, { db, clock }: Needs<'db' | 'clock'>): void {
  http.addContentTypeParser(
    ['application/csp-report', 'application/reports+json'],
    { parseAs: 'string', bodyLimit: BODY_MAX_BYTES },
    (_, body, done) => {
      try {
        done(null, JSON.parse(String(body)))
      } catch {
        done(null, undefined)
      }
    },
  )
  http.post(POLICY_REPORTS.path, { schema: { hide: true } }, async (request, reply) => {
    const read = Reports.safeParse(request.body)
    const now = clock.now()
    for (const report of read.success ? read.data : []) {
      const row = storable(report)
      if (row) await autocommitWrite(db, (tx) => countReport(tx, row, now))
    }
    return reply.code(204).send()
  })
}

type Row = NonNullable<ReturnType<typeof storable>>

/** Stores a new violation only while the table has room; violations not seen for `RETENTION_MS` make room. */
async function countReport(tx: Tx, { directive, blocked, page }: Row, now: Date): Promise<void> {
  await tx.delete(policyReport).where(lt(policyReport.lastSeenAt, after(now, -RETENTION_MS)))
  await tx.execute(sql`
    insert into policy_report (directive, blocked, page, count, first_seen_at, last_seen_at)
    select ${directive}, ${blocked}, ${page}, 1, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    where (select count(*) from policy_report) < ${REPORTS_MAX}
       or exists (select 1 from policy_report where directive = ${directive} and blocked = ${blocked} and page = ${page})
    on conflict (directive, blocked, page)
    do update set count = policy_report.count + 1, last_seen_at = excluded.last_seen_at`)
}

/** Violations on the payment pages in the last seven days, most frequent first. */
export const listPaymentPageViolations = (db: Reader, now: Date): Promise<PolicyViolation[]> =>
  db
    .select({
      directive: policyReport.directive,
      blocked: policyReport.blocked,
      page: policyReport.page,
      count: policyReport.count,
    })
    .from(policyReport)
    .where(
      and(
        gte(policyReport.lastSeenAt, after(now, -SHOWN_MS)),
        inArray(policyReport.page, [paths.checkout, paths.directCheckout, paths.alternateCheckout]),
      ),
    )
    .orderBy(desc(policyReport.count))
    .limit(REPORTS_MAX)
