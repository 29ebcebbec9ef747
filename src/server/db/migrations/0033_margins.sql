CREATE TABLE "blank_shipping" (
	"blank_id" integer NOT NULL,
	"country" text NOT NULL,
	"shipping_cents" bigint,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "blank_shipping_blank_id_country_pk" PRIMARY KEY("blank_id","country")
);
--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "estimated_profit_cents" bigint;--> statement-breakpoint
CREATE VIEW agreed_share AS
  SELECT product_id, basis_points, starts_at,
    lead(starts_at) OVER (PARTITION BY partner_id, product_id ORDER BY starts_at, id) AS ends_at
  FROM partner_rate;
--> statement-breakpoint
CREATE VIEW audit_margin AS
  SELECT o.id AS order_id, o.estimated_profit_cents AS estimated_cents,
    CASE WHEN o.partner_cost_cents IS NOT NULL AND p.fee_cents IS NOT NULL THEN (
      SELECT -coalesce(sum(e.amount_cents), 0)::bigint
      FROM ledger_posting l JOIN ledger_entry e ON e.posting_id = l.id
      WHERE l.order_id = o.id AND (e.account LIKE 'revenue:%' OR e.account LIKE 'expense:%' OR e.account = 'liability:vat_protection')
    ) END AS actual_cents
  FROM shop_order o JOIN payment p ON p.payment_key = o.payment_key;
