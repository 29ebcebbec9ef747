CREATE TABLE "provider_payout" (
	"provider" text NOT NULL,
	"payout_id" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"booked_at" timestamp with time zone,
	"reversed_at" timestamp with time zone,
	CONSTRAINT "provider_payout_provider_payout_id_pk" PRIMARY KEY("provider","payout_id"),
	CONSTRAINT "provider_payout_status_known" CHECK ("provider_payout"."status" in ('under_way', 'paid', 'failed'))
);
--> statement-breakpoint
ALTER TABLE "mail" DROP CONSTRAINT "mail_state_known";--> statement-breakpoint
ALTER TABLE "order_line" ADD COLUMN "partner_cost_cents" bigint;--> statement-breakpoint
ALTER TABLE "payment" ADD COLUMN "fee_cents" bigint;--> statement-breakpoint
ALTER TABLE "shop_order" ADD COLUMN "partner_cost_cents" bigint;--> statement-breakpoint
CREATE INDEX "provider_payout_created_at_index" ON "provider_payout" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mail_bounced" ON "mail" USING btree ("created_at") WHERE "mail"."state" = 'bounced';--> statement-breakpoint
CREATE INDEX "payment_without_fee" ON "payment" USING btree ("captured_at") WHERE "payment"."fee_cents" is null;--> statement-breakpoint
UPDATE "mail" SET "state" = 'bounced' WHERE "state" = 'refused';--> statement-breakpoint
ALTER TABLE "mail" ADD CONSTRAINT "mail_state_known" CHECK ("mail"."state" in ('queued', 'sent', 'bounced'));