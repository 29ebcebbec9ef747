CREATE TABLE "card_decline" (
	"id" text PRIMARY KEY NOT NULL,
	"checkout_id" uuid NOT NULL,
	"payer" text,
	"declined_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_start" (
	"checkout_id" uuid PRIMARY KEY NOT NULL,
	"payer" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"is_card_open" boolean NOT NULL,
	"paid_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "card_decline" ADD CONSTRAINT "card_decline_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_start" ADD CONSTRAINT "payment_start_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "card_decline_checkout_id_index" ON "card_decline" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "card_decline_payer_declined_at_index" ON "card_decline" USING btree ("payer","declined_at");--> statement-breakpoint
CREATE INDEX "card_decline_declined_at_index" ON "card_decline" USING btree ("declined_at");--> statement-breakpoint
CREATE INDEX "payment_start_unpaid" ON "payment_start" USING btree ("payer","started_at") WHERE "payment_start"."paid_at" is null;--> statement-breakpoint
CREATE INDEX "payment_start_paid" ON "payment_start" USING btree ("payer","paid_at") WHERE "payment_start"."paid_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_start_started_at_index" ON "payment_start" USING btree ("started_at");