import { AttributionLookup } from './AttributionLookup.tsx'
import { EarnedOrders } from './EarnedOrders.tsx'
import { Part, PortalFrame } from './PortalFrame.tsx'

/** `/partnership/orders`: orders that a partner brought, and why another is not theirs. */
export const EarnedOrdersPage = () => (
  <PortalFrame title="Orders">
    {({ timeZone }) => (
      <>
        <EarnedOrders timeZone={timeZone} />
        <Part id="why" title="Is this order mine?">
          <AttributionLookup timeZone={timeZone} />
        </Part>
      </>
    )}
  </PortalFrame>
)
