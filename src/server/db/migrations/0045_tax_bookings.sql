CREATE TABLE "tax_booking" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"order_id" integer NOT NULL,
	"refund_id" integer,
	"country" text NOT NULL,
	"state" text NOT NULL,
	"net_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"vat_protection_cents" bigint NOT NULL,
	"parts" jsonb NOT NULL,
	"booked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tax_booking_key_unique" UNIQUE("key"),
	CONSTRAINT "tax_booking_kind_known" CHECK ("tax_booking"."kind" in ('sale', 'change', 'refund'))
);
--> statement-breakpoint
CREATE TABLE "tax_transaction" (
	"id" text PRIMARY KEY NOT NULL,
	"reference" text NOT NULL,
	"order_id" integer NOT NULL,
	"reverses" text,
	"net_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"lines" jsonb NOT NULL,
	"posted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tax_booking" ADD CONSTRAINT "tax_booking_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tax_booking" ADD CONSTRAINT "tax_booking_refund_id_refund_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refund"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tax_transaction" ADD CONSTRAINT "tax_transaction_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tax_booking_order_id_index" ON "tax_booking" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "tax_booking_refund_id_index" ON "tax_booking" USING btree ("refund_id");--> statement-breakpoint
CREATE INDEX "tax_booking_booked_at_index" ON "tax_booking" USING btree ("booked_at");--> statement-breakpoint
CREATE INDEX "tax_transaction_order_id_index" ON "tax_transaction" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "tax_transaction_posted_at_index" ON "tax_transaction" USING btree ("posted_at");
--> statement-breakpoint
CREATE TRIGGER tax_booking_append_only BEFORE UPDATE OR DELETE ON tax_booking
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
--> statement-breakpoint
CREATE TRIGGER tax_booking_month_open BEFORE INSERT ON tax_booking
  FOR EACH ROW EXECUTE FUNCTION refuse_closed_month();
--> statement-breakpoint
CREATE TRIGGER tax_transaction_append_only BEFORE UPDATE OR DELETE ON tax_transaction
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
--> statement-breakpoint
-- What the ledger has of an order and the tax report does not: postings from before the report, and those of the previous release
-- during a rollout. Rates are those of the order's evidence, in proportion; unknown once an order was priced again, since only the
-- newest evidence is left.
CREATE FUNCTION book_missing_tax(since timestamptz, one_order integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO tax_booking (key, kind, order_id, refund_id, country, state, net_cents, tax_cents, vat_protection_cents, parts, booked_at)
  SELECT p.key, p.kind, o.id, substring(p.key from '^refund(?:-failed)?:([0-9]+)')::integer, place.country,
    CASE WHEN place.country IN ('US', 'CA') THEN coalesce(place.state, '') ELSE '' END,
    booked.net, booked.tax, booked.vat_protection, rates.parts, p.booked_at
  FROM ledger_posting p
  JOIN shop_order o ON o.id = p.order_id
  CROSS JOIN LATERAL (
    SELECT -coalesce(sum(e.amount_cents) FILTER (WHERE e.account LIKE 'revenue:%'), 0) AS net,
      -coalesce(sum(e.amount_cents) FILTER (WHERE e.account = 'liability:tax'), 0) AS tax,
      -coalesce(sum(e.amount_cents) FILTER (WHERE e.account = 'liability:vat_protection'), 0) AS vat_protection
    FROM ledger_entry e WHERE e.posting_id = p.id) booked
  CROSS JOIN LATERAL (
    SELECT coalesce(o.tax_evidence->'address'->>'country', o.shipping_address->>'country') AS country,
      coalesce(o.tax_evidence->'address'->>'state', o.shipping_address->>'state') AS state) place
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(amount), 0) AS tax FROM jsonb_to_recordset(coalesce(o.tax_evidence->'rates', '[]')) AS r(amount bigint)) known
  CROSS JOIN LATERAL (
    SELECT CASE
      WHEN booked.tax = 0 AND known.tax = 0 THEN '[]'::jsonb
      WHEN known.tax = 0 OR known.tax <> o.tax_cents OR EXISTS (
        SELECT FROM order_change c WHERE c.order_id = o.id AND c.state = 'done' AND coalesce(c.plan->>'taxEvidence' IS NOT NULL, true))
        THEN jsonb_build_array(jsonb_build_object('type', 'not_stored', 'percentage', '', 'taxable', booked.net, 'tax', booked.tax))
      ELSE (
        -- Rounded running totals: the parts sum to the tax.
        SELECT jsonb_agg(jsonb_build_object('type', type, 'percentage', percentage, 'taxable', booked.net,
          'tax', round(booked.tax * upto / known.tax) - round(booked.tax * (upto - amount) / known.tax)) ORDER BY type, percentage)
        FROM (
          SELECT type, percentage, sum(amount) AS amount, sum(sum(amount)) OVER (ORDER BY type, percentage) AS upto
          FROM (
            SELECT r.type, trim_scale(r.percentage::numeric)::text AS percentage, r.amount
            FROM jsonb_to_recordset(o.tax_evidence->'rates') AS r(type text, percentage text, amount numeric)) rate
          GROUP BY type, percentage) share)
      END AS parts) rates
  WHERE p.kind IN ('sale', 'change', 'refund')
    AND (since IS NULL OR p.booked_at >= since) AND (one_order IS NULL OR p.order_id = one_order)
    AND (booked.net <> 0 OR booked.tax <> 0 OR booked.vat_protection <> 0)
    AND NOT EXISTS (SELECT FROM tax_booking b WHERE b.key = p.key)
    -- A refund never fails because its order lies in a closed month; the report then names the order as different from the ledger.
    AND (since IS NULL AND one_order IS NULL OR p.booked_at >= coalesce(
      (SELECT CASE kind WHEN 'closed' THEN until_at ELSE from_at END FROM month_closing ORDER BY number DESC LIMIT 1), '-infinity'))
  ORDER BY p.id
  ON CONFLICT DO NOTHING
$$;
--> statement-breakpoint
ALTER TABLE tax_booking DISABLE TRIGGER tax_booking_month_open;
--> statement-breakpoint
SELECT book_missing_tax(NULL, NULL);
--> statement-breakpoint
ALTER TABLE tax_booking ENABLE TRIGGER tax_booking_month_open;
