import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invitation, RoleSettings, StaffPerson } from '#contract/people.ts'
import { roles, staffRoles, type StaffRole } from '#domain/accounts/roles.ts'
import { centsFromDecimal, formatUsd, type Cents } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { peopleQuery } from './admin-queries.ts'
import { Moment } from './Moment.tsx'
import { useAction, useChange } from './use-action.ts'

type Open =
  | { what: 'invite' }
  | { what: 'role' | 'remove'; person: StaffPerson }
  | { what: 'settings'; settings: RoleSettings }

/** `/admin/people`: who works here, who is invited, and what each role may do. */
export function PeoplePage() {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <AdminFrame
      title="People"
      actions={
        <Button aria-haspopup="dialog" onClick={() => setOpen({ what: 'invite' })}>
          Invite somebody
        </Button>
      }
    >
      <QueryBoundary query={useQuery(peopleQuery)}>
        {({ people, invitations, roles: settings }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
            <section aria-labelledby="people">
              <h2 id="people" className="mb-3">
                Works here
              </h2>
              <Table
                caption="People who work here"
                isCaptionHidden
                stacks
                columns={personColumns(setOpen, settings)}
                rows={people}
                keyOf={({ id }) => id}
                empty="Nobody."
              />
            </section>
            {invitations.length > 0 && <Invitations invitations={invitations} />}
            <section aria-labelledby="roles">
              <h2 id="roles" className="mb-3">
                Roles
              </h2>
              <ul className="divide-y divide-line border-y border-line">
                {settings.map((row) => (
                  <li key={row.role} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
                    <div className="min-w-0 flex-1 basis-[22rem]">
                      <h3 className="font-text! text-base font-semibold tracking-normal">{roles[row.role].name}</h3>
                      <p className="max-w-[44em]">{roles[row.role].summary}</p>
                      <p className="text-sm text-ink-soft">{ruleOf(row)}</p>
                    </div>
                    <Button
                      variant="plain"
                      aria-haspopup="dialog"
                      onClick={() => setOpen({ what: 'settings', settings: row })}
                    >
                      Change...
                      <span className="sr-only"> {roles[row.role].name}</span>
                    </Button>
                  </li>
                ))}
              </ul>
            </section>
          </div>
        )}
      </QueryBoundary>
      <Dialog open={open !== undefined} onClose={close} title={titleOf(open)}>
        {open?.what === 'invite' && <InviteForm onDone={close} />}
        {open?.what === 'role' && <RoleForm person={open.person} onDone={close} />}
        {open?.what === 'remove' && <RemoveForm person={open.person} onDone={close} />}
        {open?.what === 'settings' && <SettingsForm settings={open.settings} onDone={close} />}
      </Dialog>
    </AdminFrame>
  )
}

function titleOf(open: Open | undefined): string {
  if (open?.what === 'role') return `Role of ${open.person.username}`
  if (open?.what === 'remove') return `Remove ${open.person.username}`
  if (open?.what === 'settings') return roles[open.settings.role].name
  return 'Invite somebody'
}

const ruleOf = ({ requiresSecondFactor, refundOrderMax, refundDayMax }: RoleSettings): string =>
  [
    requiresSecondFactor ? 'Two-factor authentication required.' : 'Two-factor authentication optional.',
    ...(refundOrderMax !== null && refundDayMax !== null
      ? [`Refunds up to ${formatUsd(refundOrderMax)} an order, ${formatUsd(refundDayMax)} in 24 hours.`]
      : []),
  ].join(' ')

const personColumns = (
  onOpen: (open: Open) => void,
  settings: readonly RoleSettings[],
): readonly [Column<StaffPerson>, ...Column<StaffPerson>[]] => [
  {
    key: 'name',
    title: 'Name',
    cell: ({ username, email, isYou }) => (
      <span className="block max-w-[22em] wrap-anywhere">
        <span className="font-medium">{username}</span>
        {isYou && <span className="text-ink-soft"> (you)</span>}
        {email && <span className="block text-sm text-ink-soft">{email}</span>}
      </span>
    ),
  },
  { key: 'role', title: 'Role', cell: ({ role }) => roles[role].name },
  {
    key: 'factor',
    title: 'Second factor',
    cell: ({ role, hasSecondFactor }) => {
      if (hasSecondFactor) return 'On'
      const isRequired = settings.some((row) => row.role === role && row.requiresSecondFactor)
      return isRequired ? <span className="font-medium text-danger">Off, so the admin is closed</span> : 'Off'
    },
  },
  {
    key: 'seen',
    title: 'Last seen',
    cell: ({ seenAt }) => (seenAt ? <Moment at={seenAt} /> : 'Not signed in'),
  },
  {
    key: 'change',
    title: 'Change role or remove',
    isAction: true,
    cell: (person) => (
      <span className="flex flex-wrap gap-x-4">
        <Button variant="plain" aria-haspopup="dialog" onClick={() => onOpen({ what: 'role', person })}>
          Change role...
          <span className="sr-only"> {person.username}</span>
        </Button>
        <Button variant="plain" aria-haspopup="dialog" onClick={() => onOpen({ what: 'remove', person })}>
          Remove...
          <span className="sr-only"> {person.username}</span>
        </Button>
      </span>
    ),
  },
]

function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const resend = (id: number) =>
    act(() => confirmed(() => api('POST /api/admin/people/invitations/:id/resend', { params: { id } })))
  const withdraw = (id: number) => act(() => api('DELETE /api/admin/people/invitations/:id', { params: { id } }))
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations" className="mb-3">
        Invited
      </h2>
      {failure && <Notice>{failure.sentence}</Notice>}
      <ul className="divide-y divide-line border-y border-line">
        {invitations.map(({ id, email, role, invitedBy, expiresAt }) => (
          <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
            <div className="min-w-0 flex-1 basis-[18rem]">
              <p className="wrap-anywhere">
                <span className="font-medium">{email}</span>, {roles[role].name}
              </p>
              <p className="text-sm text-ink-soft">
                By {invitedBy}; the link works until <Moment at={expiresAt} />
              </p>
            </div>
            <span className="flex flex-wrap gap-x-4">
              <Button variant="plain" busy={busy} onClick={() => void resend(id)}>
                Send again<span className="sr-only"> to {email}</span>
              </Button>
              <Button variant="plain" busy={busy} onClick={() => void withdraw(id)}>
                Withdraw<span className="sr-only"> the invitation of {email}</span>
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {dialog}
    </section>
  )
}

const roleOptions = staffRoles.map((role) => ({ value: role, label: roles[role].name }))

function RoleField({ start }: { start: StaffRole }) {
  const [role, setRole] = useState(start)
  return (
    <Select
      label="Role"
      name="role"
      defaultValue={start}
      options={roleOptions}
      onValue={setRole}
      hint={roles[role].summary}
    />
  )
}

/** As chosen; the server refuses anything else. */
const roleIn = (typed: string | undefined) => typed as StaffRole

function InviteForm({ onDone }: { onDone: () => void }) {
  const api = useApi()
  const change = useChange()
  const { confirmed, dialog } = useFreshPassword()
  return (
    <>
      <ApiForm
        aria-label="Invite somebody"
        className="grid gap-5"
        send={async ({ email = '', role }) => {
          const body = { email, role: roleIn(role) }
          await change(() => confirmed(() => api('POST /api/admin/people/invitations', { body })))
          onDone()
        }}
      >
        <p>They get an email with a link, choose a username and a password, and work with their own account.</p>
        <Field label="Email" name="email" type="email" required maxLength={254} autoComplete="off" />
        <RoleField start="support" />
        <FormNotice title="Not invited" />
        <div>
          <SubmitButton>Send invitation</SubmitButton>
        </div>
      </ApiForm>
      {dialog}
    </>
  )
}

type PersonFormProps = { person: StaffPerson; onDone: () => void }

function RoleForm({ person: { id, username, role: present, isYou }, onDone }: PersonFormProps) {
  const api = useApi()
  const change = useChange()
  const { confirmed, dialog } = useFreshPassword()
  return (
    <>
      <ApiForm
        aria-label="Change role"
        className="grid gap-5"
        send={async ({ role }) => {
          const body = { role: roleIn(role) }
          await change(() => confirmed(() => api('PUT /api/admin/people/:id/role', { params: { id }, body })))
          onDone()
        }}
      >
        <RoleField start={present} />
        <p>{isYou ? 'You are' : `${username} is`} signed out everywhere when the role changes.</p>
        <FormNotice title="Not changed" />
        <div>
          <SubmitButton>Save role</SubmitButton>
        </div>
      </ApiForm>
      {dialog}
    </>
  )
}

function RemoveForm({ person: { id, username }, onDone }: PersonFormProps) {
  const api = useApi()
  const change = useChange()
  const { confirmed, dialog } = useFreshPassword()
  return (
    <>
      <ApiForm
        aria-label="Remove"
        className="grid gap-5"
        send={async () => {
          await change(() => confirmed(() => api('DELETE /api/admin/people/:id', { params: { id } })))
          onDone()
        }}
      >
        <p>
          {username} is signed out everywhere and can’t open the admin any more. The account stays, as a customer’s, and
          what {username} did stays in the log.
        </p>
        <FormNotice title="Not removed" />
        <div>
          <SubmitButton>Remove {username}</SubmitButton>
        </div>
      </ApiForm>
      {dialog}
    </>
  )
}

const decimalOf = (amount: Cents) => formatUsd(amount).replace(/[$,]/g, '')

const amountIn = (text: string | undefined) => centsFromDecimal((text ?? '').trim().replace(/^\$/, '')) ?? Number.NaN

function SettingsForm({ settings, onDone }: { settings: RoleSettings; onDone: () => void }) {
  const { role, refundOrderMax, refundDayMax } = settings
  const { hasLimits } = roles[role]
  const [requiresSecondFactor, setRequiresSecondFactor] = useState(settings.requiresSecondFactor)
  const api = useApi()
  const change = useChange()
  const { confirmed, dialog } = useFreshPassword()
  return (
    <>
      <ApiForm
        aria-label="Change role settings"
        className="grid gap-5"
        send={async (typed) => {
          const body = {
            requiresSecondFactor,
            refundOrderMax: hasLimits ? amountIn(typed['refundOrderMax']) : null,
            refundDayMax: hasLimits ? amountIn(typed['refundDayMax']) : null,
          }
          await change(() => confirmed(() => api('PUT /api/admin/people/roles/:role', { params: { role }, body })))
          onDone()
        }}
      >
        <p>{roles[role].summary}</p>
        <Checkbox
          label="Require two-factor authentication: the admin stays closed to people of this role until they set it up"
          checked={requiresSecondFactor}
          onChecked={setRequiresSecondFactor}
        />
        {refundOrderMax !== null && refundDayMax !== null && (
          <>
            <Field
              label="Refunds of an order, at most"
              name="refundOrderMax"
              inputMode="decimal"
              required
              defaultValue={decimalOf(refundOrderMax)}
              hint="US dollars, by everybody with such a limit together"
            />
            <Field
              label="Refunds in 24 hours, at most"
              name="refundDayMax"
              inputMode="decimal"
              required
              defaultValue={decimalOf(refundDayMax)}
              hint="US dollars, by each person. An owner can always refund more."
            />
          </>
        )}
        <FormNotice title="Not saved" />
        <div>
          <SubmitButton>Save</SubmitButton>
        </div>
      </ApiForm>
      {dialog}
    </>
  )
}
