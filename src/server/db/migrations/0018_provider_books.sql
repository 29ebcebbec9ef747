CREATE TABLE "partner_order" (
	"id" bigint PRIMARY KEY NOT NULL,
	"external_id" text,
	"status" text NOT NULL,
	"cost_cents" bigint,
	"created_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "partner_order_cost" CHECK ("partner_order"."cost_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "provider_reading" (
	"provider" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone,
	"under" jsonb,
	"read_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "provider_transaction" (
	"provider" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"fee_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"payment_key" text,
	"source_id" text,
	"checkout_id" uuid,
	"occurred_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "provider_transaction_provider_id_pk" PRIMARY KEY("provider","id"),
	CONSTRAINT "provider_transaction_kind_known" CHECK ("provider_transaction"."kind" in ('charge', 'refund', 'dispute', 'fee', 'adjustment', 'payout'))
);
--> statement-breakpoint
CREATE TABLE "reconciliation" (
	"id" serial PRIMARY KEY NOT NULL,
	"trigger" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"payments" integer DEFAULT 0 NOT NULL,
	"partner_orders" integer DEFAULT 0 NOT NULL,
	"differences" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shop_exception" (
	"id" integer PRIMARY KEY DEFAULT nextval('payment_exception_id_seq') NOT NULL,
	"kind" text NOT NULL,
	"about" text NOT NULL,
	"order_id" integer,
	"amount_cents" bigint NOT NULL,
	"cause" text NOT NULL,
	"deadline_at" timestamp with time zone,
	"facts" jsonb,
	"opened_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "shop_exception_amount_not_negative" CHECK ("shop_exception"."amount_cents" >= 0)
);
--> statement-breakpoint
ALTER TABLE "shop_exception" ADD CONSTRAINT "shop_exception_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "partner_order_external_id_index" ON "partner_order" USING btree ("external_id");--> statement-breakpoint
CREATE INDEX "partner_order_created_at_index" ON "partner_order" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "provider_transaction_payment_key_index" ON "provider_transaction" USING btree ("payment_key");--> statement-breakpoint
CREATE INDEX "provider_transaction_occurred_at_provider_id_index" ON "provider_transaction" USING btree ("occurred_at","provider","id");--> statement-breakpoint
CREATE INDEX "provider_transaction_provider_source_id_index" ON "provider_transaction" USING btree ("provider","source_id");--> statement-breakpoint
CREATE INDEX "reconciliation_started_at_index" ON "reconciliation" USING btree ("started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "shop_exception_open_once" ON "shop_exception" USING btree ("kind","about") WHERE "shop_exception"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "shop_exception_open" ON "shop_exception" USING btree ("id") WHERE "shop_exception"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "shop_exception_order_id_index" ON "shop_exception" USING btree ("order_id");--> statement-breakpoint
-- Only what made no order names its payment: whoever checks that a payment is an order or an exception counts those.
CREATE OR REPLACE VIEW audit_exceptions AS
  SELECT id, kind, payment_key, order_id, amount_cents, opened_at, resolved_at FROM payment_exception
  UNION ALL
  SELECT id, kind, NULL, order_id, amount_cents, opened_at, resolved_at FROM shop_exception;
