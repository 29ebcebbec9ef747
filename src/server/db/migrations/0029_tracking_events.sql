CREATE TABLE "tracking_event" (
	"shipment_id" bigint NOT NULL,
	"happened_at" timestamp with time zone NOT NULL,
	"description" text NOT NULL,
	CONSTRAINT "tracking_event_shipment_id_happened_at_description_pk" PRIMARY KEY("shipment_id","happened_at","description")
);
--> statement-breakpoint
ALTER TABLE "shipment" ADD COLUMN "lost_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "shipment" ADD COLUMN "estimated_from" integer;--> statement-breakpoint
ALTER TABLE "shipment" ADD COLUMN "estimated_to" integer;--> statement-breakpoint
ALTER TABLE "shipment" ADD COLUMN "reported_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tracking_event" ADD CONSTRAINT "tracking_event_shipment_id_shipment_id_fk" FOREIGN KEY ("shipment_id") REFERENCES "public"."shipment"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shipment_in_trouble" ON "shipment" USING btree ("order_id") WHERE "shipment"."returned_at" is not null or "shipment"."lost_at" is not null;