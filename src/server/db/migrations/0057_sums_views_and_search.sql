CREATE TABLE "saved_view" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"filter" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "saved_view_name" UNIQUE("user_id","name")
);
--> statement-breakpoint
CREATE TABLE "partner_order_sum" (
	"at" timestamp with time zone PRIMARY KEY NOT NULL,
	"cost_cents" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_day" (
	"zone" text NOT NULL,
	"day" date NOT NULL,
	"account" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	CONSTRAINT "ledger_day_zone_day_account_pk" PRIMARY KEY("zone","day","account")
);
--> statement-breakpoint
CREATE TABLE "ledger_days_summed" (
	"zone" text PRIMARY KEY NOT NULL,
	"seal" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_sum" (
	"provider" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"amount_cents" bigint NOT NULL,
	CONSTRAINT "provider_sum_provider_at_pk" PRIMARY KEY("provider","at")
);
--> statement-breakpoint
ALTER TABLE "provider_transaction" ADD COLUMN "is_ours" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "parcel_notice_late" ON "parcel_notice" USING btree ("order_id") WHERE "parcel_notice"."kind" in ('late', 'lost') and "parcel_notice"."state" in ('open', 'waits');--> statement-breakpoint
CREATE INDEX "conversation_alike" ON "conversation" USING gin ("subject" gin_trgm_ops,"name" gin_trgm_ops,"email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "conversation_message_alike" ON "conversation_message" USING gin ("words" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "provider_transaction_maybe_foreign" ON "provider_transaction" USING btree ("occurred_at") WHERE not "provider_transaction"."is_ours" and "provider_transaction"."payment_key" is not null;
--> statement-breakpoint
-- Where it is known by now; the others are looked up whenever the books are compared.
UPDATE provider_transaction t SET is_ours = true WHERE t.payment_key IS NOT NULL AND (
  EXISTS (SELECT FROM payment p WHERE p.payment_key = t.payment_key)
  OR EXISTS (SELECT FROM provider_transaction c
    WHERE c.payment_key = t.payment_key AND c.kind = 'charge' AND c.checkout_id IS NOT NULL));
--> statement-breakpoint
INSERT INTO provider_sum (provider, at, amount_cents)
SELECT provider, date_bin('15 minutes', occurred_at, '2000-01-01Z'), sum(amount_cents - fee_cents)
FROM provider_transaction WHERE currency = 'usd' GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO partner_order_sum (at, cost_cents)
SELECT date_bin('15 minutes', created_at, '2000-01-01Z'), sum(cost_cents)
FROM partner_order WHERE status NOT IN ('draft', 'failed') AND cost_cents IS NOT NULL GROUP BY 1;
--> statement-breakpoint
-- The sums follow their rows in the same statement, also of the previous release during a rollout. Rows are added in order, so that
-- two writers never wait for each other in turns.
CREATE FUNCTION sum_provider_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO provider_sum AS s (provider, at, amount_cents)
      SELECT provider, date_bin('15 minutes', occurred_at, '2000-01-01Z') AS at, sum(amount_cents - fee_cents)
      FROM added WHERE currency = 'usd' GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (provider, at) DO UPDATE SET amount_cents = s.amount_cents + excluded.amount_cents;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO provider_sum AS s (provider, at, amount_cents)
      SELECT provider, date_bin('15 minutes', occurred_at, '2000-01-01Z') AS at, sum(amount)
      FROM (SELECT provider, occurred_at, amount_cents - fee_cents AS amount FROM added WHERE currency = 'usd'
        UNION ALL SELECT provider, occurred_at, fee_cents - amount_cents FROM removed WHERE currency = 'usd') changed
      GROUP BY 1, 2 HAVING sum(amount) <> 0 ORDER BY 1, 2
    ON CONFLICT (provider, at) DO UPDATE SET amount_cents = s.amount_cents + excluded.amount_cents;
  ELSE
    INSERT INTO provider_sum AS s (provider, at, amount_cents)
      SELECT provider, date_bin('15 minutes', occurred_at, '2000-01-01Z') AS at, -sum(amount_cents - fee_cents)
      FROM removed WHERE currency = 'usd' GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (provider, at) DO UPDATE SET amount_cents = s.amount_cents + excluded.amount_cents;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER provider_transaction_added AFTER INSERT ON provider_transaction
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sum_provider_transactions();
--> statement-breakpoint
CREATE TRIGGER provider_transaction_changed AFTER UPDATE ON provider_transaction
  REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION sum_provider_transactions();
--> statement-breakpoint
CREATE TRIGGER provider_transaction_removed AFTER DELETE ON provider_transaction
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION sum_provider_transactions();
--> statement-breakpoint
CREATE FUNCTION sum_partner_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO partner_order_sum AS s (at, cost_cents)
      SELECT date_bin('15 minutes', created_at, '2000-01-01Z') AS at, sum(cost_cents)
      FROM added WHERE status NOT IN ('draft', 'failed') AND cost_cents IS NOT NULL GROUP BY 1 ORDER BY 1
    ON CONFLICT (at) DO UPDATE SET cost_cents = s.cost_cents + excluded.cost_cents;
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO partner_order_sum AS s (at, cost_cents)
      SELECT date_bin('15 minutes', created_at, '2000-01-01Z') AS at, sum(cost)
      FROM (SELECT created_at, cost_cents AS cost FROM added WHERE status NOT IN ('draft', 'failed')
        UNION ALL SELECT created_at, -cost_cents FROM removed WHERE status NOT IN ('draft', 'failed')) changed
      GROUP BY 1 HAVING sum(cost) <> 0 ORDER BY 1
    ON CONFLICT (at) DO UPDATE SET cost_cents = s.cost_cents + excluded.cost_cents;
  ELSE
    INSERT INTO partner_order_sum AS s (at, cost_cents)
      SELECT date_bin('15 minutes', created_at, '2000-01-01Z') AS at, -sum(cost_cents)
      FROM removed WHERE status NOT IN ('draft', 'failed') AND cost_cents IS NOT NULL GROUP BY 1 ORDER BY 1
    ON CONFLICT (at) DO UPDATE SET cost_cents = s.cost_cents + excluded.cost_cents;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER partner_order_added AFTER INSERT ON partner_order
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sum_partner_orders();
--> statement-breakpoint
CREATE TRIGGER partner_order_changed AFTER UPDATE ON partner_order
  REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION sum_partner_orders();
--> statement-breakpoint
CREATE TRIGGER partner_order_removed AFTER DELETE ON partner_order
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION sum_partner_orders();
