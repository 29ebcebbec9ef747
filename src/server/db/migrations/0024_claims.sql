CREATE TABLE "claim" (
	"id" serial PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"kind" text NOT NULL,
	"reason" text,
	"fit" text,
	"pieces" jsonb NOT NULL,
	"submission" uuid NOT NULL,
	"declared_name" text,
	"state" text DEFAULT 'open' NOT NULL,
	"outcome" text,
	"amount_cents" bigint,
	"opened_at" timestamp with time zone NOT NULL,
	"waiting_since" timestamp with time zone,
	"resolved_at" timestamp with time zone,
	"printer_deadline_at" timestamp with time zone,
	"printer_told_at" timestamp with time zone,
	"printer_cost_cents" bigint,
	CONSTRAINT "claim_orderId_submission_unique" UNIQUE("order_id","submission"),
	CONSTRAINT "claim_kind_known" CHECK ("claim"."kind" in ('claim', 'withdrawal')),
	CONSTRAINT "claim_reason_known" CHECK ("claim"."reason" in ('wrong', 'faulty', 'damaged', 'lost')),
	CONSTRAINT "claim_has_reason" CHECK (("claim"."kind" = 'claim') = ("claim"."reason" is not null)),
	CONSTRAINT "claim_fit_known" CHECK ("claim"."fit" in ('small', 'true', 'large')),
	CONSTRAINT "claim_state_known" CHECK ("claim"."state" in ('open', 'asked', 'resolved')),
	CONSTRAINT "claim_outcome_known" CHECK ("claim"."outcome" in ('replaced', 'refunded', 'refused', 'canceled')),
	CONSTRAINT "claim_waits_while_open" CHECK (("claim"."state" = 'open') = ("claim"."waiting_since" is not null)),
	CONSTRAINT "claim_resolved_whole" CHECK (("claim"."state" = 'resolved') = ("claim"."resolved_at" is not null) and ("claim"."outcome" is null) = ("claim"."resolved_at" is null))
);
--> statement-breakpoint
CREATE TABLE "claim_message" (
	"id" serial PRIMARY KEY NOT NULL,
	"claim_id" integer NOT NULL,
	"is_owner" boolean NOT NULL,
	"words" text NOT NULL,
	"written_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "claim_photo" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"claim_id" integer,
	"body" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "claim" ADD CONSTRAINT "claim_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claim_message" ADD CONSTRAINT "claim_message_claim_id_claim_id_fk" FOREIGN KEY ("claim_id") REFERENCES "public"."claim"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claim_photo" ADD CONSTRAINT "claim_photo_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claim_photo" ADD CONSTRAINT "claim_photo_claim_id_claim_id_fk" FOREIGN KEY ("claim_id") REFERENCES "public"."claim"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "claim_waiting" ON "claim" USING btree ("waiting_since","id") WHERE "claim"."waiting_since" is not null;--> statement-breakpoint
CREATE INDEX "claim_opened_at_index" ON "claim" USING btree ("opened_at");--> statement-breakpoint
CREATE INDEX "claim_message_claim_id_index" ON "claim_message" USING btree ("claim_id");--> statement-breakpoint
CREATE INDEX "claim_photo_order_id_index" ON "claim_photo" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "claim_photo_claim_id_index" ON "claim_photo" USING btree ("claim_id");--> statement-breakpoint
CREATE INDEX "claim_photo_unused" ON "claim_photo" USING btree ("created_at") WHERE "claim_photo"."claim_id" is null;--> statement-breakpoint
CREATE VIEW audit_claims AS
  SELECT id, order_id, kind, reason, state, opened_at, resolved_at, outcome, amount_cents FROM claim;
