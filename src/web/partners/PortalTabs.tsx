import { useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { TabLinks } from '#web/app/TabLinks.tsx'

const tabs = [
  { to: paths.partnership, text: 'Overview' },
  { to: portalPaths.links, text: 'Links' },
  { to: paths.earnings, text: 'Earnings' },
  { to: portalPaths.orders, text: 'Orders' },
  { to: portalPaths.statements, text: 'Statements' },
  { to: portalPaths.materials, text: 'Materials' },
  { to: portalPaths.program, text: 'Program' },
]

/** The pages of the partner portal. */
export function PortalTabs() {
  const { pathname } = useLocation()
  return <TabLinks name="Partner portal" tabs={tabs.map((tab) => ({ ...tab, isCurrent: tab.to === pathname }))} />
}
