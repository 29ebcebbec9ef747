CREATE TABLE "parcel_notice" (
	"id" serial PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"shipment_id" bigint,
	"kind" text NOT NULL,
	"pieces" jsonb NOT NULL,
	"expected_from" integer,
	"expected_to" integer,
	"state" text DEFAULT 'open' NOT NULL,
	"choice" text,
	"told_at" timestamp with time zone NOT NULL,
	"chosen_at" timestamp with time zone,
	"claim_id" integer,
	CONSTRAINT "parcel_notice_once" UNIQUE NULLS NOT DISTINCT("order_id","kind","shipment_id"),
	CONSTRAINT "parcel_notice_kind_known" CHECK ("parcel_notice"."kind" in ('late', 'lost', 'returned')),
	CONSTRAINT "parcel_notice_state_known" CHECK ("parcel_notice"."state" in ('open', 'waits', 'decided', 'over')),
	CONSTRAINT "parcel_notice_choice_known" CHECK ("parcel_notice"."choice" in ('wait', 'refund', 'replace')),
	CONSTRAINT "parcel_notice_decided_whole" CHECK (("parcel_notice"."state" = 'decided') = ("parcel_notice"."claim_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "claim" DROP CONSTRAINT "claim_reason_known";--> statement-breakpoint
ALTER TABLE "parcel_notice" ADD CONSTRAINT "parcel_notice_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parcel_notice" ADD CONSTRAINT "parcel_notice_shipment_id_shipment_id_fk" FOREIGN KEY ("shipment_id") REFERENCES "public"."shipment"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parcel_notice" ADD CONSTRAINT "parcel_notice_claim_id_claim_id_fk" FOREIGN KEY ("claim_id") REFERENCES "public"."claim"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "parcel_notice_shipment_id_index" ON "parcel_notice" USING btree ("shipment_id");--> statement-breakpoint
ALTER TABLE "claim" ADD CONSTRAINT "claim_reason_known" CHECK ("claim"."reason" in ('wrong', 'faulty', 'damaged', 'lost', 'late', 'returned'));